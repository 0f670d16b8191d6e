import type { Turns } from '../in-turns.ts'
import { BoundedText } from '../json/bounded-text.ts'
import { ExactNumber, type JsonValue } from '../json/exact-json.ts'
import type { Template } from './compile-template.ts'
import { isolated, isRightToLeft, plainWords, UNSEEN } from './plain-words.ts'
import type { Scope } from './read-path.ts'

const LINE_BREAK = /\r\n|\n|\r(?!\n)|[\x85\u2028\u2029]/
const BLANK_LINES = /(?:(?:\r\n|\n|\r(?!\n)|[\x85\u2028\u2029])[\p{Zs}\t\u2800]*){3,}/gu
const BLANKS = /[\s\x85\u2800]+/g
const BREAK = /[\n\r\x85\u2028\u2029]/
/** More blanks than an author fills a column up with. */
const MOST_BLANKS = 59

/** In characters, of one piece of a value that is made plain at once; and of one in which there is no place to cut. */
const PIECE = 8 * 1024
const LONGEST_PIECE = 8 * PIECE
/**
 * Where a value may be cut: before what is neither blank, nor a mark, nor taken out, and between marks and blanks. Rules look at
 * runs of one kind or the other, which end there.
 */
const BETWEEN_RUNS = new RegExp(
  `(?=[^\\s\\x85\\u2800\\u2068\\u2069\\p{M}\\u200c\\u200d${UNSEEN.source.slice(1, -1)}])|(?<=[\\p{M}\\u200c\\u200d])(?<!${UNSEEN.source})(?=[\\s\\x85\\u2800])`,
  'gu'
)
const ANYWHERE = /(?=[\s\S])/gu
const AFTER_LINE = /[\n\r\x85\u2028\u2029](?!\n)/g

interface RenderingForPeople {
  /** Characters of the text. */
  readonly most: number
  /** How a value is written in the syntax of the text around it, letter by letter. */
  readonly encode?: (value: string) => string
  /** Whether the value at this place is part of something that isolates would break: an address, an attribute. */
  readonly isBare?: (place: number, value: string) => boolean
  /** Whether a value stays on its line where the template goes on behind it: lines of its own would hide the rest. */
  readonly keepsLines?: boolean
}

/**
 * `render` for a text that a person reads, in turns. What the author wrote stays as it is, each value is made plain. Throws
 * TextTooLong where it has more than `most` characters, or its values had.
 */
export function* renderForPeople(
  template: Template,
  scope: Scope,
  contextVariables: Scope,
  options: RenderingForPeople
): Turns<string> {
  const { most, encode, isBare = () => false, keepsLines = false } = options
  const values: ShownValue[] = []
  const keep = (printed: string, value: JsonValue | undefined, place: number) => {
    values[place] = { printed, value }
    return printed
  }
  yield* template.renderTo(new BoundedText(most), scope, contextVariables, keep)
  const plain: string[] = []
  // Without such letters nothing moves, and who looks at the text with a program finds nothing but the text.
  let isToBeIsolated = template.literals.some(isRightToLeft)
  for (const [place, { printed }] of values.entries()) {
    const fit = keepsLines && hasMoreOnLine(template, place) ? onOneLine : withoutGaps
    const makePlain = (piece: string) => {
      const words = fit(plainWords(piece))
      isToBeIsolated ||= isRightToLeft(words)
      return words
    }
    plain.push(yield* plainInPieces(printed, makePlain))
  }
  const text = new BoundedText(most)
  text.add(template.literals[0]!)
  for (const [place, words] of plain.entries()) {
    const isAlone = isToBeIsolated && !isBare(place, words)
    const shown = isAlone ? yield* isolatedValue(words, values[place]!.value) : words
    text.add(encode === undefined ? shown : yield* inPieces(shown, ANYWHERE, encode))
    text.add(template.literals[place + 1]!)
    if (text.isTurnOver()) yield
  }
  return text.toString()
}

interface ShownValue {
  readonly printed: string
  readonly value: JsonValue | undefined
}

/** A megabyte at once would hold the thread for a tenth of a second. */
function* inPieces(text: string, cut: RegExp, make: (piece: string) => string): Turns<string> {
  if (text.length <= PIECE) return make(text)
  const made: string[] = []
  let start = 0
  while (start < text.length) {
    cut.lastIndex = start + PIECE
    const end = cut.test(text) ? cut.lastIndex : text.length
    made.push(make(text.slice(start, end)))
    start = end
    yield
  }
  return made.join('')
}

/** What is left of a run that is longer than a piece is made plain once more, together with what comes after it. */
function* plainInPieces(text: string, make: (piece: string) => string): Turns<string> {
  if (text.length <= PIECE) return make(text)
  const made: string[] = []
  let run = ''
  for (let start = 0; start < text.length; ) {
    const rest = firstOf(text, start)
    const end = cutAfter(rest, PIECE) ?? rest.length
    const piece = make(rest.slice(0, end))
    const joined = run === '' ? piece : make(run + piece)
    // What was taken out may have stood where it can be cut.
    const whole = end < rest.length ? joined.length : (cutAfter(joined, joined.length - PIECE) ?? 0)
    made.push(joined.slice(0, whole))
    run = joined.slice(whole)
    start += end
    yield
  }
  return made.join('') + run
}

/** As long as a piece may be, and no half of a sign at its end. */
function firstOf(text: string, start: number): string {
  const end = start + LONGEST_PIECE
  const isHalved = (text.codePointAt(end - 1) ?? 0) > 0xffff
  return text.slice(start, isHalved ? end - 1 : end)
}

function cutAfter(text: string, place: number): number | undefined {
  BETWEEN_RUNS.lastIndex = Math.max(1, place)
  return BETWEEN_RUNS.test(text) ? BETWEEN_RUNS.lastIndex : undefined
}

function* isolatedValue(printed: string, value: JsonValue | undefined): Turns<string> {
  const isJson = typeof value === 'object' && value !== null && !(value instanceof ExactNumber)
  // The texts within would move each other's neighbours. Of a long one nobody reads text by text.
  if (isJson && printed.length <= PIECE) return printed.replace(/"(?:[^"\\]|\\.)*"/g, isolated)
  return yield* inPieces(printed, AFTER_LINE, isolated)
}

/** Whether there is more on the line of the template in which this value stands. */
function hasMoreOnLine({ literals }: Template, place: number): boolean {
  const [rest = ''] = literals[place + 1]!.split(LINE_BREAK, 1)
  const isLineOver = rest.length < literals[place + 1]!.length
  const isLast = place + 2 === literals.length
  return rest.trim() !== '' || !(isLineOver || isLast)
}

function onOneLine(text: string): string {
  return text.replace(BLANKS, (blanks) => (BREAK.test(blanks) || blanks.length > MOST_BLANKS ? ' ' : blanks))
}

/** Pages of nothing would push what follows out of sight. */
function withoutGaps(text: string): string {
  return text.replace(BLANK_LINES, '\n\n')
}
