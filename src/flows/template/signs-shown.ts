import { UNSEEN } from './plain-words.ts'

/** For who looks at data itself: what cannot be seen is written as JSON writes it. */
export function withSignsShown(text: string): string {
  return text
    .replace(UNSEEN, (sign) => Array.from(sign.split(''), escapeOf).join(''))
    .replace(/[\u2068\u2069]/g, escapeOf)
}

function escapeOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
