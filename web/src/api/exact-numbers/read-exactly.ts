import { ExactNumber, type JsonValue } from '../../../../src/flows/json/exact-number.ts'

const NUMBER = /-?\d[-+.\deE]*/g

/**
 * In the page's place of the file of this name in src/flows/json, which is long: a graph is drawn the sooner the less is to
 * be loaded before. A reviver would be called for every value, and a megabyte has room for half a million: so the text is
 * read once as it is, and once more with those numbers as texts, where it has any.
 */
export function readExactly(text: string): JsonValue {
  const value = JSON.parse(text) as JsonValue
  const quoted = withQuotes(text)
  return quoted === text ? value : withExact(value, JSON.parse(quoted))
}

/** Components that the page shares name it; the page itself reads nothing in turns. */
// biome-ignore lint/correctness/useYield: as the function in whose place it is
export function* readExactlyInTurns(text: string): Generator<void, JsonValue> {
  return readExactly(text)
}

/** Of text that is known to be JSON. */
function withQuotes(text: string): string {
  let quoted = ''
  for (let from = 0; from < text.length; ) {
    const open = text.indexOf('"', from)
    const end = open < 0 ? text.length : open
    quoted += text.slice(from, end).replace(NUMBER, quotedIfExact)
    from = open < 0 ? end : endOfString(text, open)
    quoted += text.slice(end, from)
  }
  return quoted
}

function quotedIfExact(number: string): string {
  return String(Number(number)) === number ? number : `"${number}"`
}

/** The offset after it. */
function endOfString(text: string, open: number): number {
  let at = open + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

/** `quoted`: the same, but for texts in the place of numbers that are to be kept as they were written. */
function withExact(value: JsonValue, quoted: JsonValue): JsonValue {
  if (typeof value === 'number') return typeof quoted === 'string' ? new ExactNumber(quoted) : value
  if (typeof value !== 'object' || value === null) return value
  const [members, others] = [value, quoted] as Record<string, JsonValue>[]
  if (Array.isArray(value))
    for (let at = 0; at < value.length; at++) value[at] = withExact(value[at]!, others![at]!)
  else for (const key of Object.keys(value)) members![key] = withExact(members![key]!, others![key]!)
  return value
}
