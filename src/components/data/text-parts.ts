import { indexOfText } from '../../plugin-api.ts'
import { ENDS } from './text-ends.ts'

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\' }

/** What somebody means who types \n into a field of one line. */
export function unescaped(separator: string): string {
  return separator.replace(/\\([ntr\\])/g, (_, letter: string) => ESCAPES[letter]!)
}

/** In characters: what is searched, or cut, at once. Parts that end in it are given together. */
const STRETCH = 16 * 1024

/** The engine searches for a longer one in the product of both lengths at the worst. */
const LONGEST_SHORT = 32

/** Parts one after the other, some at a time: they may be as many as the text has characters. */
export function* splitBySeparator(text: string, separator: string): Generator<string[], void, void> {
  const stretch = Math.max(STRETCH, 4 * separator.length)
  /** Where the part begins whose end is looked for, and from where on. */
  let begin = 0
  let from = 0
  while (from + stretch < text.length) {
    const end = from + stretch
    const found = splitAtOnce(text.slice(from, end), separator)
    const last = found.pop()!
    if (found.length > 0) {
      found[0] = text.slice(begin, from + found[0]!.length)
      begin = end - last.length
    }
    // The separator may have begun at the end of the stretch.
    from = Math.max(begin, end - separator.length + 1)
    yield found
  }
  const rest = splitAtOnce(text.slice(from), separator)
  rest[0] = text.slice(begin, from + rest[0]!.length)
  yield rest
}

function splitAtOnce(text: string, separator: string): string[] {
  if (separator.length <= LONGEST_SHORT) return text.split(separator)
  const parts: string[] = []
  let from = 0
  for (let at = indexOfText(text, separator); at >= 0; at = indexOfText(text.slice(from), separator)) {
    parts.push(text.slice(from, from + at))
    from += at + separator.length
  }
  parts.push(text.slice(from))
  return parts
}

/** So many lines to a part, the last `overlap` of which begin the next one: all together may be many times the text. */
export function* splitLines(text: string, lines: number, overlap: number): Generator<string[], void, void> {
  const plain = yield* withPlainLineEnds(text)
  const step = Math.max(1, lines - overlap)
  /** Where parts begin, and how many of them are given. */
  const begins: number[] = []
  let given = 0
  let parts: string[] = []
  for (let line = 0, at = 0, end = 0; end >= 0; line++, at = end + 1) {
    if (line % step === 0) begins.push(at)
    end = plain.indexOf('\n', at)
    // What is left at the end is a part in any case.
    if (end < 0 || line + 1 === given * step + lines)
      parts.push(plain.slice(begins[given++], end < 0 ? plain.length : end))
    if (line % LINES_AT_ONCE !== LINES_AT_ONCE - 1) continue
    yield parts
    parts = []
  }
  yield parts
}

const LINES_AT_ONCE = 1_024

function* withPlainLineEnds(text: string): Generator<string[], string, void> {
  if (!text.includes('\r')) return text
  const pieces: string[] = []
  for (let from = 0; from < text.length; ) {
    let end = Math.min(from + STRETCH, text.length)
    if (text[end - 1] === '\r' && text[end] === '\n') end++
    pieces.push(text.slice(from, end).replace(/\r\n?/g, '\n'))
    from = end
    yield []
  }
  return pieces.join('')
}

/** Pieces of at most so many characters, each of which begins with the last `overlap` of the one before. */
export function* splitByLength(
  text: string,
  length: number,
  overlap: number
): Generator<string[], void, void> {
  let from = 0
  while (from < text.length) {
    const end = endOfPiece(text, from, length, overlap)
    yield [text.slice(from, end)]
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
  for (const lastEnd of ENDS) {
    const end = lastEnd(text, from + least, most)
    if (end !== undefined) return end
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
