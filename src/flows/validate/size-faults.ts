import type { Fault } from '../../errors.ts'
import type { TooLarge } from '../json/too-large-parts.ts'

/** What is larger in a document than it may be, in words. */
export function sizeFaults(found: readonly TooLarge[]): Fault[] {
  return found.map(({ path, keyword, is, most }) => {
    const place = path === '' ? 'The document' : `"${path.slice(1).replaceAll('/', '.')}"`
    return { code: 'invalid_shape', path, message: `${place} ${WORDS[keyword](is, most)}` }
  })
}

const WORDS: Readonly<Record<TooLarge['keyword'], (is: number, most: number) => string>> = {
  maxItems: (is, most) => `is a list of ${is}. Give at most ${most} items.`,
  maxProperties: (is, most) => `has ${is} members. Give at most ${most}.`,
  maxLength: (is, most) => `is a text of ${is} characters. Write at most ${most}.`
}
