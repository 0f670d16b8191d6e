import { ExactNumber, type JsonValue, rawInteger } from './exact-number.ts'
import { isDeeper, lookOf } from './json-tokens.ts'
import { readExactly } from './read-exactly.ts'
import { tooDeep } from './too-deep.ts'

export { ExactNumber, type JsonValue }

/**
 * Measured on the default stack: JSON.parse with a reviver overflows at about 2,300 levels and
 * structuredClone at about 1,900. Half of that leaves room for deep callers and for plugins' own recursion.
 */
export const MAX_DEPTH = 1000

/** Of a payload or an output: what it is stored and shown in (run, steps, step, outputs) must have room around it. */
export const PAYLOAD_DEPTH = MAX_DEPTH - 8

export function isPlainObject(value: unknown): value is { [key: string]: JsonValue } {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  )
}

export function parseJson(text: string, maxDepth = MAX_DEPTH): JsonValue {
  const look = lookOf(text, maxDepth)
  if (look === 'deep') throw new SyntaxError(tooDeep(maxDepth))
  // To read it by hand takes much longer, so that is done only for texts that need it.
  return look === 'exact' ? readExactly(text) : JSON.parse(text)
}

/** Undefined where the text is not JSON, which has no such value. */
export function jsonIn(text: string, maxDepth = MAX_DEPTH): JsonValue | undefined {
  try {
    return parseJson(text, maxDepth)
  } catch {
    return undefined
  }
}

/** Whether the text, if it is JSON, has more levels. */
export function isTooDeep(text: string, maxDepth = MAX_DEPTH): boolean {
  // Every level takes an opening and a closing character.
  return text.length > 2 * maxDepth && isDeeper(text, maxDepth)
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
  return typeof value === 'bigint' ? rawInteger(value) : value
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
