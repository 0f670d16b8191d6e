import { jsonIn } from '../../../../../src/flows/json/exact-json.ts'
import { isTame } from './is-tame.ts'

/** How the text of a message is shown. */
type MessageShape = 'markdown' | 'json' | 'plain'

/** A text that is a JSON object or array, as Stringify makes, would lose its lines and marks as Markdown. */
export function shapeOf(text: string): MessageShape {
  if (isJson(text)) return 'json'
  return isTame(text) ? 'markdown' : 'plain'
}

function isJson(text: string): boolean {
  const trimmed = text.trim()
  const isLikely = /^[[{]/.test(trimmed) && /[\]}]$/.test(trimmed)
  return isLikely && jsonIn(trimmed) !== undefined
}

/** Longer texts are shown in part until somebody asks for the rest: a log of them stays readable, and quick. */
const LONGEST_SHOWN = 4000
const PART = 1500

interface Shortened {
  readonly text: string
  readonly isCut: boolean
}

export function shortened(text: string): Shortened {
  if (text.length <= LONGEST_SHOWN) return { text, isCut: false }
  const line = text.lastIndexOf('\n', PART)
  return { text: text.slice(0, line > PART / 2 ? line : PART), isCut: true }
}
