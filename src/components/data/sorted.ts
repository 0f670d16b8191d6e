import type { JsonValue, Turns, ValuePath } from '../../plugin-api.ts'
import { columnOf } from './missing-key.ts'
import { numberOf } from './number-of.ts'
import { type Compare, compareTexts, compareValues } from './value-order.ts'

export interface SortKey {
  readonly path: ValuePath
  readonly isDescending: boolean
}

interface Order {
  /** None: by the items themselves. */
  readonly keys: readonly SortKey[]
  readonly texts: Compare<string>
  readonly nullsFirst: boolean
}

/** Of rows in their list, in the order that is wanted. */
type Places = Uint32Array<ArrayBuffer>

/** Sorted at once: a millisecond or two. */
const ROWS_AT_ONCE = 4_096

/**
 * A stable sort that lets others have their turn: parts are sorted by the engine of JavaScript and merged, two by two.
 * Values of the keys are read once for each row, not for each comparison.
 */
export function* sorted(rows: readonly JsonValue[], order: Order): Turns<JsonValue[]> {
  const compare = comparePlaces(rows, order)
  let parts: Places[] = []
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    parts.push(placesFrom(from, Math.min(ROWS_AT_ONCE, rows.length - from)).sort(compare))
    yield
  }
  while (parts.length > 1) {
    const merged: Places[] = []
    for (let at = 0; at < parts.length; at += 2)
      merged.push(
        parts[at + 1] === undefined ? parts[at]! : yield* merge(parts[at]!, parts[at + 1]!, compare)
      )
    parts = merged
  }
  return rowsAt(rows, parts[0] ?? new Uint32Array())
}

function* merge(one: Places, other: Places, compare: Compare<number>): Turns<Places> {
  const merging = {
    one,
    other,
    compare,
    merged: new Uint32Array(one.length + other.length),
    first: 0,
    second: 0
  }
  while (merging.first + merging.second < merging.merged.length) {
    mergeSome(merging)
    yield
  }
  return merging.merged
}

interface Merging {
  readonly one: Places
  readonly other: Places
  readonly compare: Compare<number>
  readonly merged: Places
  first: number
  second: number
}

/** Apart from the generator, whose loops are slower. */
function mergeSome(merging: Merging): void {
  const { one, other, compare, merged } = merging
  let { first, second } = merging
  const end = Math.min(first + second + ROWS_AT_ONCE, merged.length)
  for (let at = first + second; at < end; at++) {
    const takesFirst =
      second === other.length || (first < one.length && compare(one[first]!, other[second]!) <= 0)
    merged[at] = takesFirst ? one[first++]! : other[second++]!
  }
  merging.first = first
  merging.second = second
}

function placesFrom(from: number, length: number): Places {
  const places = new Uint32Array(length)
  for (let at = 0; at < length; at++) places[at] = from + at
  return places
}

function rowsAt(rows: readonly JsonValue[], places: Places): JsonValue[] {
  const found = new Array<JsonValue>(places.length)
  for (let at = 0; at < places.length; at++) found[at] = rows[places[at]!]!
  return found
}

/** Compares rows by their places in the list. */
function comparePlaces(rows: readonly JsonValue[], { keys, texts, nullsFirst }: Order): Compare<number> {
  const comparisons = (keys.length === 0 ? [undefined] : keys).map((key) => {
    const values = key === undefined ? rows : columnOf(rows, key.path)
    return compareColumn(values, texts, key?.isDescending === true ? -1 : 1, nullsFirst ? -1 : 1)
  })
  return comparisons.reduce((before, after) => (one, other) => before(one, other) || after(one, other))
}

/** Columns of numbers alone, or of texts alone, are the most frequent ones, and compared several times as fast. */
function compareColumn(
  values: readonly (JsonValue | undefined)[],
  texts: Compare<string>,
  direction: 1 | -1,
  emptySide: 1 | -1
): Compare<number> {
  const numbers = asNumbers(values)
  if (numbers !== undefined) return (one, other) => direction * (numbers[one]! - numbers[other]!)
  const isNumeric = areNumeric(values)
  if (!isNumeric && areTexts(values)) return compareTextColumn(values, texts, direction)
  const known = isNumeric ? values.map(numberOf) : values
  return (one, other) => compareMixed(known[one] ?? null, known[other] ?? null, texts, direction, emptySide)
}

/** Those that are the same are told apart from others by a glance. */
function compareTextColumn(
  values: readonly string[],
  texts: Compare<string>,
  direction: 1 | -1
): Compare<number> {
  return (one, other) => {
    const left = values[one]!
    const right = values[other]!
    return left === right ? 0 : direction * texts(left, right)
  }
}

function compareMixed(
  left: JsonValue,
  right: JsonValue,
  texts: Compare<string>,
  direction: 1 | -1,
  emptySide: 1 | -1
): number {
  if (left === null || right === null) return emptySide * (Number(left === null) - Number(right === null))
  return direction * compareValues(left, right, texts)
}

function areTexts(values: readonly (JsonValue | undefined)[]): values is readonly string[] {
  return values.every((value) => typeof value === 'string')
}

function asNumbers(values: readonly (JsonValue | undefined)[]): Float64Array | undefined {
  const numbers = new Float64Array(values.length)
  for (let at = 0; at < values.length; at++) {
    const value = values[at]
    if (typeof value !== 'number') return undefined
    numbers[at] = value
  }
  return numbers
}

/** Numbers that are written as text, as in CSV, sort as numbers where the column has nothing else. */
function areNumeric(values: readonly (JsonValue | undefined)[]): boolean {
  return values.every((value) => value === undefined || value === null || numberOf(value) !== undefined)
}

export function textOrder(locale: string): Compare<string> {
  if (locale.trim() === '') return compareTexts
  return new Intl.Collator(locale.trim(), { sensitivity: 'accent', numeric: true }).compare
}

export function localeFault(locale: string): string | undefined {
  try {
    textOrder(locale)
    return undefined
  } catch {
    return `"${locale}" is not a language. Write a tag such as de, sv or en-GB.`
  }
}
