/**
 * JSON in and out without losing a digit: a number that JavaScript would print differently from how it was
 * sent (64-bit ids, `1.10`, `1e400`, `-0`) is carried as an ExactNumber; all others stay plain numbers.
 */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | ExactNumber
  | JsonValue[]
  | { [key: string]: JsonValue }

/**
 * Measured on the default stack: JSON.parse with a reviver overflows at about 2,300 levels and
 * structuredClone at about 1,900. Half of that leaves room for deep callers and for plugins' own recursion.
 */
export const MAX_DEPTH = 1000

/** Of a payload or an output: what it is stored and shown in (run, steps, step, outputs) must have room around it. */
export const PAYLOAD_DEPTH = MAX_DEPTH - 8

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

// The standard typings do not know source text access yet; Node 24 does.
interface SourceTextJson {
  rawJSON(text: string): object
  parse(
    text: string,
    reviver: (key: string, value: JsonValue, context: { readonly source?: string }) => JsonValue
  ): JsonValue
}
const sourceTextJson = JSON as unknown as SourceTextJson

export class ExactNumber {
  readonly source: string

  constructor(source: string) {
    // rawJSON would print any JSON text, so a careless source could turn a number into something else.
    if (!JSON_NUMBER.test(source)) throw new TypeError(`"${source.slice(0, 40)}" is not a JSON number`)
    this.source = source
  }

  toJSON(): object {
    return sourceTextJson.rawJSON(this.source)
  }

  toString(): string {
    return this.source
  }

  valueOf(): number {
    return Number(this.source)
  }
}

export function isPlainObject(value: unknown): value is { [key: string]: JsonValue } {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  )
}

export function parseJson(text: string, maxDepth = MAX_DEPTH): JsonValue {
  if (isTooDeep(text, maxDepth)) throw new SyntaxError(`JSON is nested deeper than ${maxDepth} levels`)
  // The reviver makes parsing about six times slower, so it runs only for texts that need it.
  return hasInexactNumber(text) ? sourceTextJson.parse(text, keepExactNumber) : JSON.parse(text)
}

function keepExactNumber(_key: string, value: JsonValue, context: { readonly source?: string }): JsonValue {
  if (typeof value !== 'number' || context.source === undefined) return value
  return String(value) === context.source ? value : new ExactNumber(context.source)
}

const BACKSLASH = 92
const QUOTE = 34
const MINUS = 45
const ZERO = 48
const NINE = 57
const POINT = 46

/** Every integer of this many characters is exact, so its text need not be compared. */
const SAFE_LENGTH = 15

/** May be wrong about text that is not JSON: JSON.parse refuses that either way. */
function hasInexactNumber(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code <= NINE && (code >= ZERO || code === MINUS)) {
      const end = endOfNumber(text, at)
      if (end < 0) return true
      at = end - 1
    }
  }
  return false
}

/** The offset after the number at `start`, or -1 when JavaScript would not print it as it is written. */
function endOfNumber(text: string, start: number): number {
  let points = 0
  let others = 0
  let end = start + 1
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code >= ZERO && code <= NINE) continue
    if (code === POINT) points++
    else if (isNumberPunctuation(code)) others++
    else break
  }
  if (others === 0 && end - start <= SAFE_LENGTH) {
    const mayBeMinusZero = end - start === 2 && text.charCodeAt(start) === MINUS
    if (points === 0 ? !mayBeMinusZero : points === 1 && isPlainDecimal(text, start, end)) return end
  }
  const token = text.slice(start, end)
  return String(Number(token)) === token ? end : -1
}

/**
 * So few digits are exact, and they are printed as they stand unless the last is a zero, or so many zeros come first that
 * JavaScript would write an exponent. To print and compare them took a sixth of reading a payload with two prices.
 */
function isPlainDecimal(text: string, start: number, end: number): boolean {
  const last = text.charCodeAt(end - 1)
  if (last === ZERO || last === POINT) return false
  const first = text.charCodeAt(start) === MINUS ? start + 1 : start
  return text.charCodeAt(first) !== ZERO || text.charCodeAt(first + 2) !== ZERO
}

function isNumberPunctuation(code: number): boolean {
  return code === 43 || code === MINUS || code === 101 || code === 69
}

function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1)
  while (close > 0 && isEscaped(text, close)) close = text.indexOf('"', close + 1)
  return close < 0 ? text.length : close
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === BACKSLASH) first--
  return (at - first) % 2 === 1
}

/** Whether the text, if it is JSON, has more levels. Costs no stack, whatever it holds. */
export function isTooDeep(text: string, maxDepth = MAX_DEPTH): boolean {
  // Every level takes an opening and a closing character.
  if (text.length <= 2 * maxDepth) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === 91 || code === 123) {
      if (++depth > maxDepth) return true
    } else if (code === 93 || code === 125) depth--
  }
  return false
}

/**
 * JSON.stringify that keeps exact numbers, writes bigints as integers and fails only with a TypeError. `depth` says in
 * how many others the value stands already.
 */
export function writeJson(value: unknown, indent?: number, maxDepth = MAX_DEPTH, depth = 0): string {
  const text = stringify(value, indent)
  if (isTooDeep(text, maxDepth - depth)) throw refusal(`it is nested deeper than ${maxDepth} levels`)
  return text
}

function stringify(value: unknown, indent: number | undefined): string {
  try {
    return JSON.stringify(value, null, indent) ?? 'null'
  } catch {
    // A replacer slows every write, so it is used only once a bigint may have stopped the first attempt.
    return stringifyWithBigints(value, indent)
  }
}

function stringifyWithBigints(value: unknown, indent: number | undefined): string {
  try {
    return JSON.stringify(value, rawBigint, indent) ?? 'null'
  } catch (error) {
    throw refusal(reasonOf(error), error)
  }
}

function rawBigint(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? sourceTextJson.rawJSON(String(value)) : value
}

function refusal(reason: string, cause?: unknown): TypeError {
  return new TypeError(`the value cannot be written as JSON: ${reason}`, { cause })
}

function reasonOf(error: unknown): string {
  const message = messageOf(error)
  if (message.startsWith('Converting circular structure')) return 'it contains itself'
  if (message.startsWith('Maximum call stack size')) return `it is nested deeper than ${MAX_DEPTH} levels`
  if (message.startsWith('Invalid string length')) return 'it is too large'
  return message === '' ? 'reading it failed' : `reading it failed with "${message}"`
}

/** A plugin can throw anything, even an error whose message throws again. */
function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : ''
  } catch {
    return ''
  }
}

const utf8 = new TextDecoder('utf-8')

/** The webhook body rule: JSON is taken as it is; any other body is kept as text under `payload`. */
export function readPayload(body: Uint8Array | string): JsonValue {
  const text = typeof body === 'string' ? withoutBom(body) : utf8.decode(body)
  try {
    return parseJson(text, PAYLOAD_DEPTH)
  } catch {
    return { payload: text }
  }
}

function withoutBom(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}
