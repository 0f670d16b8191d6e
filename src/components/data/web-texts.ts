import {
  type BoundedText,
  isPlainObject,
  type JsonValue,
  StepError,
  TURN_WORK,
  type Turns
} from '../../plugin-api.ts'
import { describe } from './describe.ts'
import { printed } from './printed.ts'
import { piecesOf } from './text-pieces.ts'

/** Texts as they stand in addresses and in forms, written and read piece by piece: each may be megabytes long. */

/** As `encodeURIComponent`. */
export function* urlEncoded(text: string, into: BoundedText): Turns<void> {
  for (const piece of piecesOf(text.isWellFormed() ? text : text.toWellFormed())) {
    into.add(encodeURIComponent(piece))
    if (into.isTurnOver()) yield
  }
}

/** As `decodeURIComponent`; throws a StepError. */
export function* urlDecoded(text: string, decode: (piece: string) => string = decoded): Turns<string> {
  const pieces: string[] = []
  for (let from = 0; from < text.length; ) {
    const end = endOfEscapes(text, from + TURN_WORK)
    pieces.push(decode(text.slice(from, end)))
    from = end
    yield
  }
  return pieces.join('')
}

/** A character has as many bytes after its first one; what has more is none, wherever it is cut. */
const MOST_FOLLOWING = 3

/** Not inside of an escape, nor between those of one character. */
function endOfEscapes(text: string, at: number): number {
  let end = at
  if (text[end - 1] === '%') end -= 1
  else if (text[end - 2] === '%') end -= 2
  const most = end + 3 * MOST_FOLLOWING
  while (end < most && /^%[89ab][0-9a-f]$/i.test(text.slice(end, end + 3))) end += 3
  return end
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    throw new StepError(
      'This is not encoded as in a URL: a % has to be followed by two digits of a byte, and bytes have to be UTF-8. Look at what was sent.',
      { code: 'invalid_url_encoding', retryable: false, cause: error }
    )
  }
}

/** `a=1&b=2` as an object of texts; a name that repeats is a list. */
export function* formData(text: string): Turns<JsonValue> {
  const data = new Map<string, string | string[]>()
  let work = 0
  for (let from = 0; from < text.length; ) {
    const found = text.indexOf('&', from)
    const end = found === -1 ? text.length : found
    if (end > from) yield* addPair(text.slice(from, end), data)
    if (data.size > MOST_NAMES) throw tooManyNames()
    work += end - from + WORK_PER_PAIR
    from = end + 1
    if (work < TURN_WORK) continue
    work = 0
    yield
  }
  return Object.fromEntries(data)
}

const WORK_PER_PAIR = 64
/** As many as a table has columns: the names of an object are listed in one turn. */
const MOST_NAMES = 16_384

function tooManyNames(): StepError {
  return new StepError(
    `This form has more than ${MOST_NAMES} different names, and each is a member. Is it a form? Look at what was sent.`,
    { code: 'too_many_fields', retryable: false }
  )
}

function* addPair(pair: string, data: Map<string, string | string[]>): Turns<void> {
  const at = pair.indexOf('=')
  const name = yield* ofForm(at === -1 ? pair : pair.slice(0, at))
  const value = at === -1 ? '' : yield* ofForm(pair.slice(at + 1))
  const before = data.get(name)
  if (Array.isArray(before)) before.push(value)
  else data.set(name, before === undefined ? value : [before, value])
}

function* ofForm(text: string): Turns<string> {
  return text.length > TURN_WORK ? yield* urlDecoded(text, decodedAsForms) : decodedAsForms(text)
}

/** What is no escape stays as it is, and bytes that are no UTF-8 are replaced, as browsers and servers read forms. */
function decodedAsForms(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return new URLSearchParams(`=${text}`).get('') ?? ''
  }
}

/** An object as `a=1&b=2`; a list gives its name once for each of its values. Throws a StepError, or TextTooLong. */
export function* formOf(data: JsonValue | undefined, into: BoundedText): Turns<void> {
  if (!isPlainObject(data))
    throw new StepError(
      `It is ${describe(data)}, and a form is made of an object: its members are the fields.`,
      {
        code: 'not_an_object',
        retryable: false
      }
    )
  for (const name of Object.keys(data)) {
    const value = data[name]!
    if (into.isTurnOver(WORK_PER_PAIR)) yield
    for (const each of Array.isArray(value) ? value : [value]) {
      if (into.length > 0) into.add('&')
      yield* urlEncoded(name, into)
      into.add('=')
      yield* urlEncoded(yield* printed(each, into.limit), into)
      if (into.isTurnOver(WORK_PER_PAIR)) yield
    }
  }
}
