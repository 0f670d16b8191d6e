/**
 * What others send, in words that people read and decide by. Signs that nobody sees can show "98001" as "10089", and letters
 * that are written from right to left move the numbers beside them. So a value keeps its letters and loses such signs,
 * and what stands around it keeps its place. Only for people: what goes to machines is never changed.
 */

/**
 * Marks, embeddings and overrides of direction; spaces and joiners of no width, letters and vowels that are blank, controls of
 * shorthand and of music, tags; controls but tab and line break. The two joiners that Persian, Indian scripts and emoji are spelled with stay, and so do variation
 * selectors.
 */
export const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  /[\u034f\u17b4\u17b5\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2067\u206a-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]/gu

/** By Unicode: isolate what follows, in the direction of its first letter; end of that. */
const ISOLATES = /[\u2068\u2069]/g
const ISOLATED_OR_LOOSE = /(\u2068[^\u2068\u2069\n]*\u2069)|[\u2068\u2069]/g

/** More marks than any language puts on one letter: they would cover the lines around it. */
const HEAPED_MARKS = /([\p{M}\u200c\u200d]{8})[\p{M}\u200c\u200d]+/gu

/** The blocks that Unicode keeps for what is written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

const LINE_BREAKS = /(\r\n|[\n\r\x85\u2028\u2029])/

/** Text of somebody else without what nobody can see in it. */
export function plainWords(text: string): string {
  return plainText(text).replace(ISOLATES, '')
}

/** The same for a whole text, which may be made of several: what keeps those apart stays. */
export function plainText(text: string): string {
  return text.replace(UNSEEN, '').replace(ISOLATED_OR_LOOSE, '$1').replace(HEAPED_MARKS, '$1')
}

/** A sentence of ours with words of others in it: words`Delete ${name}?`. */
export function words(sentence: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  const plain = values.map((value) => plainWords(String(value)))
  const text = String.raw({ raw: sentence }, ...plain)
  return isRightToLeft(text) ? String.raw({ raw: sentence }, ...plain.map(isolated)) : text
}

export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text)
}

/** An isolate ends with its line. */
export function isolated(text: string): string {
  return text
    .split(LINE_BREAKS)
    .map((part, at) => (at % 2 === 1 || part === '' ? part : `\u2068${part}\u2069`))
    .join('')
}
