import {
  BoundedText,
  isPlainObject,
  type JsonValue,
  type Turns,
  type ValueStyle,
  writeJsonTo
} from '../../../plugin-api.ts'
import { encodeText, LONGEST_URL, printedWithin } from '../build-url.ts'

/** A name and its value as they stand in a query, a form or a cookie. */
type Pair = readonly [name: string, value: string]

type Encode = (text: string) => string

/** Reserved characters of URLs may stand as they are where an API says so; what ends a query or a value of it never does. */
export function encodeReserved(text: string): string {
  return encodeText(text).replaceAll(/%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B|5B|5D)/gi, decodeURIComponent)
}

/** A value of a path, as the styles simple, label and matrix write it (OpenAPI 3.1, 4.8.12.2). */
export function* writeInPath(name: string, value: JsonValue, { style, explode }: ValueStyle): Turns<string> {
  if (style === 'json') return encodeText(yield* asJson(value))
  const pieces = yield* piecesOf(value, encodeText, explode ? '=' : ',')
  const isSingle = !Array.isArray(value) && !isPlainObject(value)
  if (style === 'label') return `.${pieces.join(explode ? '.' : ',')}`
  if (style !== 'matrix') return pieces.join(',')
  const named = `;${encodeText(name)}=`
  if (isSingle || !explode) return named + pieces.join(',')
  return Array.isArray(value)
    ? pieces.map((piece) => named + piece).join('')
    : pieces.map((piece) => `;${piece}`).join('')
}

/** A value of a header: lists and objects with commas. */
export function* writeInHeader(value: JsonValue, { style, explode }: ValueStyle): Turns<string> {
  if (style === 'json') return yield* asJson(value)
  return (yield* piecesOf(value, (text) => text, explode ? '=' : ',')).join(',')
}

const SEPARATORS: { readonly [style: string]: string } = {
  form: ',',
  spaceDelimited: '%20',
  pipeDelimited: '%7C',
  tabDelimited: '%09'
}

/** A value of a query, a form or a cookie: one pair, or several of them. Values are encoded, names too. */
export function* writeAsPairs(
  name: string,
  value: JsonValue,
  { style, explode }: ValueStyle,
  encode: Encode = encodeText
): Turns<Pair[]> {
  const sentName = encodeText(name)
  if (style === 'json') return [[sentName, encode(yield* asJson(value))]]
  const isList = Array.isArray(value)
  if (!isList && !isPlainObject(value)) return [[sentName, encode(yield* printedWithin(value, LONGEST_URL))]]
  if (style === 'deepObject') return yield* deepPairs(sentName, value, encode)
  if (!explode) {
    const pieces = yield* piecesOf(value, encode, SEPARATORS[style] ?? ',')
    return pieces.length === 0 ? [] : [[sentName, pieces.join(SEPARATORS[style] ?? ',')]]
  }
  const pairs: Pair[] = []
  for (const [member, one] of isList ? value.map((item) => [name, item] as const) : Object.entries(value))
    pairs.push([encodeText(member), encode(yield* printedWithin(one, LONGEST_URL))])
  return pairs
}

/** `filter[colour]=red`, and deeper in the same way, as the APIs write it that have such parameters; lists by their places. */
function* deepPairs(name: string, value: JsonValue, encode: Encode): Turns<Pair[]> {
  if (!Array.isArray(value) && !isPlainObject(value))
    return value === null ? [] : [[name, encode(yield* printedWithin(value, LONGEST_URL))]]
  const pairs: Pair[] = []
  for (const [key, one] of Object.entries(value)) {
    for (const pair of yield* deepPairs(`${name}[${encodeText(key)}]`, one as JsonValue, encode))
      pairs.push(pair)
    yield
  }
  return pairs
}

/** The items of a list; the names and values of an object, joined; or the one value. */
function* piecesOf(value: JsonValue, encode: Encode, joint: string): Turns<string[]> {
  const pieces: string[] = []
  if (Array.isArray(value)) {
    for (const item of value) pieces.push(encode(yield* printedWithin(item, LONGEST_URL)))
  } else if (isPlainObject(value)) {
    for (const [name, one] of Object.entries(value))
      pieces.push(`${encode(name)}${joint}${encode(yield* printedWithin(one, LONGEST_URL))}`)
  } else pieces.push(encode(yield* printedWithin(value, LONGEST_URL)))
  return pieces
}

function* asJson(value: JsonValue): Turns<string> {
  const text = new BoundedText(LONGEST_URL)
  yield* writeJsonTo(text, value)
  return text.toString()
}
