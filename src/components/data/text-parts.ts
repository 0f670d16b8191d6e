import { indexOfText } from '../../plugin-api.ts'

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\' }

/** What somebody means who types \n into a field of one line. */
export function unescaped(separator: string): string {
  return separator.replace(/\\([ntr\\])/g, (_, letter: string) => ESCAPES[letter]!)
}

/** Parts one after the other: they may be as many as the text has characters. */
export function* splitBySeparator(text: string, separator: string): Generator<string, void, void> {
  if (separator.length <= LONGEST_SHORT) {
    yield* text.split(separator)
    return
  }
  let from = 0
  for (;;) {
    const at = indexOfText(text.slice(from), separator)
    if (at < 0) break
    yield text.slice(from, from + at)
    from += at + separator.length
  }
  yield text.slice(from)
}

/** The engine splits by a longer one in the product of both lengths at the worst. */
const LONGEST_SHORT = 32

/** So many lines to a part, the last `overlap` of which begin the next one: all together may be many times the text. */
export function* splitLines(text: string, lines: number, overlap: number): Generator<string, void, void> {
  const all = text.split(/\r\n|\n|\r/)
  for (let from = 0; from < all.length; from += Math.max(1, lines - overlap)) {
    yield all.slice(from, from + lines).join('\n')
    if (from + lines >= all.length) break
  }
}

/** Where a piece may end, the best first: after a paragraph, a line, a sentence, a word. */
const ENDS = [/\n\s*\n/g, /\n/g, /[.!?…]["')\]]*\s/g, /\s/g]

/** Pieces of at most so many characters, each of which begins with the last `overlap` of the one before. */
export function* splitByLength(text: string, length: number, overlap: number): Generator<string, void, void> {
  let from = 0
  while (from < text.length) {
    const end = endOfPiece(text, from, length, overlap)
    yield text.slice(from, end)
    if (end >= text.length) break
    from = overlap === 0 ? end : beginOfNext(text, end - overlap, from)
  }
}

/** The last good end in the second half of the piece, or its very end where there is none. */
function endOfPiece(text: string, from: number, length: number, overlap: number): number {
  const most = from + length
  if (most >= text.length) return text.length
  // What is not longer than the overlap would bring nothing new.
  const least = Math.max(Math.floor(length / 2), overlap + 1)
  const window = text.slice(from + least, most)
  for (const ends of ENDS) {
    const last = [...window.matchAll(ends)].at(-1)
    if (last !== undefined) return from + least + last.index + last[0].length
  }
  return wholeCharacter(text, most, from)
}

/** At the beginning of a word, if one begins nearby; never where nothing new would come. */
function beginOfNext(text: string, at: number, before: number): number {
  const nearby = Math.max(before + 1, at - LONG_WORD)
  const word = text.slice(nearby, Math.max(nearby, at)).search(/\s\S*$/)
  const begin = Math.max(before + 1, word < 0 ? at : nearby + word + 1)
  return isInside(text, begin) ? begin + 1 : begin
}

const LONG_WORD = 20

function wholeCharacter(text: string, at: number, from: number): number {
  if (!isInside(text, at)) return at
  return at - 1 > from ? at - 1 : at + 1
}

/** A character of two units, such as most emoji, is not cut in two. */
function isInside(text: string, at: number): boolean {
  return at > 0 && /[\uD800-\uDBFF]/.test(text[at - 1]!) && /[\uDC00-\uDFFF]/.test(text[at] ?? '')
}
