import { createRequire } from 'node:module'

/** Nobody writes such a long one, and what reads it calls itself for each bracket. */
const LONGEST = 1_000

/** What is wrong with a CSS selector. It is only read here: to search a page by one is done elsewhere. */
export function selectorFault(css: string): string | undefined {
  if (css.length > LONGEST) return `It has more than ${LONGEST} characters. Write a shorter selector.`
  const { parse } = createRequire(import.meta.url)('css-what') as typeof import('css-what')
  try {
    parse(css)
    return undefined
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/\.$/, '') : String(error)
    return `This is no CSS selector: ${why}. Correct it, such as article > h2 a.`
  }
}
