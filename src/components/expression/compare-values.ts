import {
  BoundedText,
  ExactNumber,
  includesText,
  isPlainObject,
  type JsonValue,
  StepError,
  TURN_WORK,
  type Turns,
  workOf,
  writeJson,
  writeJsonTo
} from '../../plugin-api.ts'
import { compilePattern, type Pattern } from '../schema/pattern.ts'
import { canonicalNumber } from '../schema/same-value.ts'
import type { Operator } from './compare-words.ts'

/** A value that may be absent. */
export type Side = JsonValue | undefined

/** Throws a StepError where the two cannot be compared in this way. */
export function compareValues(
  left: Side,
  operator: Operator,
  right: Side,
  patternOf: (source: string) => Pattern = compilePattern
): boolean {
  switch (operator) {
    case 'equals':
      return sameAs(left)(right)
    case 'does not equal':
      return !sameAs(left)(right)
    case 'contains':
    case 'does not contain':
      return contains(left, right) === (operator === 'contains')
    case 'starts with':
      return printed(left).startsWith(printed(right))
    case 'ends with':
      return printed(left).endsWith(printed(right))
    case 'matches':
      return patternOf(printed(right)).isFoundIn(printed(left))
    case 'is greater than':
      return compareOrder(left, right) > 0
    case 'is at least':
      return compareOrder(left, right) >= 0
    case 'is less than':
      return compareOrder(left, right) < 0
    case 'is at most':
      return compareOrder(left, right) <= 0
    case 'is empty':
      return isEmpty(left)
    case 'is not empty':
      return !isEmpty(left)
    case 'is true':
      return isWord(left, 'true')
    case 'is false':
      return isWord(left, 'false')
  }
}

/** Lists and objects are not shown, however long it would take to write them. */
function isWord(value: Side, word: string): boolean {
  return !isContainer(value) && printed(value).trim().toLowerCase() === word
}

function isContainer(value: Side): value is JsonValue {
  return Array.isArray(value) || isPlainObject(value)
}

/** As a template prints it; lists and objects as JSON. */
function printed(value: Side): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  return typeof value === 'object' && !(value instanceof ExactNumber) ? writeJson(value) : String(value)
}

/** Whether values are the same text as one, or the same number however it is written. */
export function sameAs(value: Side): (other: Side) => boolean {
  const number = numberIn(value)
  let text: string | undefined
  return (other) => {
    if (other === value || (number !== undefined && number === numberIn(other))) return true
    text ??= printed(value)
    return mayPrint(other, text) && printed(other) === text
  }
}

/** Lists and objects are long to write, and most texts are no JSON of one. */
function mayPrint(value: Side, text: string): boolean {
  if (Array.isArray(value)) return text.startsWith('[')
  return isPlainObject(value) ? text.startsWith('{') : true
}

/** A list contains its items, an object its keys, a text its parts. */
function contains(left: Side, right: Side): boolean {
  if (Array.isArray(left)) return left.some(sameAs(right))
  if (isPlainObject(left)) return Object.hasOwn(left, printed(right))
  return includesText(printed(left), printed(right))
}

/** The same for a list, which may be long, as may be its items. */
export function* listContains(left: readonly JsonValue[], right: Side): Turns<boolean> {
  const isSame = sameAs(right)
  const text = printed(right)
  for (let at = 0, work = 0; at < left.length; at++) {
    const item = left[at]!
    const own = typeof item === 'string' ? item.length : workToPrint(item, text)
    if (isSame(own > TURN_WORK ? yield* printedInTurns(item) : item)) return true
    work += WORK_PER_ITEM + own
    if (work < TURN_WORK) continue
    work = 0
    yield
  }
  return false
}

const WORK_PER_ITEM = 16

/** What is not printed, as it cannot be the same, takes nothing. */
function workToPrint(value: JsonValue, text: string): number {
  return typeof value === 'object' && mayPrint(value, text) ? workOf(value) : 0
}

/** Lists and objects that take more than a turn to write, as their text: wherever it is the text that is compared. */
export function* printedInTurns(value: Side): Turns<Side> {
  if (!isContainer(value) || workOf(value) <= TURN_WORK) return value
  const text = new BoundedText(Number.POSITIVE_INFINITY)
  yield* writeJsonTo(text, value)
  return text.toString()
}

function isEmpty(value: Side): boolean {
  if (Array.isArray(value)) return value.length === 0
  if (isPlainObject(value)) return Object.keys(value).length === 0
  return printed(value).trim() === ''
}

/** Of two numbers, or two dates. Throws a StepError where they are neither. */
export function compareOrder(left: Side, right: Side): number {
  const [one, other] = [decimalOf(left), decimalOf(right)]
  if (one !== undefined && other !== undefined) return compareDecimals(one, other)
  const [before, after] = [instantOf(left), instantOf(right)]
  if (before !== undefined && after !== undefined) return before - after
  const odd = one === undefined && before === undefined ? left : right
  throw new StepError(
    `"${printed(odd).slice(0, 80)}" is neither a number nor a date. Compare two numbers, or two dates such as 2026-11-17T09:00:00Z.`,
    { code: 'not_comparable', retryable: false }
  )
}

interface Decimal {
  readonly digits: bigint
  /** Digits after the point. */
  readonly scale: number
}

/** More digits, or a higher power, are read as text. */
const NUMBER = /^\s*[+]?(-?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,3})?)\s*$/
const LONGEST_NUMBER = 1_000

/** A text that the same numbers share. */
function numberIn(value: Side): string | undefined {
  if (typeof value === 'number' || value instanceof ExactNumber) return canonicalOf(String(value))
  if (typeof value !== 'string' || value.length > LONGEST_NUMBER) return undefined
  return canonicalOf(value)
}

function canonicalOf(written: string): string | undefined {
  const source = written.length > LONGEST_NUMBER ? undefined : NUMBER.exec(written)?.[1]
  return source === undefined ? undefined : canonicalNumber(source)
}

const DECIMAL = /^\s*([+-]?)(\d{1,400})(?:\.(\d{1,400}))?(?:[eE]([+-]?\d{1,3}))?\s*$/

/** Exact, since ids of 64 bits and amounts of money are compared here. */
function decimalOf(value: Side): Decimal | undefined {
  const isNumber = typeof value === 'number' || value instanceof ExactNumber
  if (!isNumber && typeof value !== 'string') return undefined
  const [matched, sign, whole, fraction = '', exponent = '0'] = DECIMAL.exec(String(value)) ?? []
  if (matched === undefined) return undefined
  const scale = fraction.length - Number(exponent)
  const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n)
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale }
}

function compareDecimals(one: Decimal, other: Decimal): number {
  const scale = Math.max(one.scale, other.scale)
  const at = ({ digits, scale: own }: Decimal) => digits * 10n ** BigInt(scale - own)
  const difference = at(one) - at(other)
  return difference === 0n ? 0 : difference > 0n ? 1 : -1
}

const INSTANT = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/

function instantOf(value: Side): number | undefined {
  if (typeof value !== 'string' || !INSTANT.test(value.trim())) return undefined
  const at = Date.parse(value.trim())
  return Number.isNaN(at) ? undefined : at
}
