import type { JsonValue, Turns, ValuePath } from '../../plugin-api.ts'
import { columnOrder } from './column-order.ts'
import { columnOf } from './missing-key.ts'
import { itemsAt, type Order, sortedPlaces } from './sort-in-turns.ts'
import { type Compare, compareTexts } from './value-order.ts'

export interface SortKey {
  readonly path: ValuePath
  readonly isDescending: boolean
}

interface Wanted {
  /** None: by the items themselves. */
  readonly keys: readonly SortKey[]
  readonly texts: Compare<string>
  readonly nullsFirst: boolean
}

/** Values of the keys are read once for each row, not for each comparison. */
export function* sorted(rows: readonly JsonValue[], wanted: Wanted): Turns<JsonValue[]> {
  return yield* itemsAt(rows, yield* sortedPlaces(rows.length, yield* orderOf(rows, wanted)))
}

function* orderOf(rows: readonly JsonValue[], { keys, texts, nullsFirst }: Wanted): Turns<Order> {
  const orders: Order[] = []
  for (const key of keys.length === 0 ? [undefined] : keys) {
    const values = key === undefined ? rows : yield* columnOf(rows, key.path)
    const direction = key?.isDescending === true ? -1 : 1
    orders.push(yield* columnOrder(values, { texts, direction, emptySide: nullsFirst ? -1 : 1 }))
  }
  return orders.reduce(combined)
}

/** The first that differs decides. */
function combined(before: Order, after: Order): Order {
  const [first, second] = [before.workAt, after.workAt]
  return {
    compare: (one, other) => before.compare(one, other) || after.compare(one, other),
    workAt:
      first === undefined || second === undefined
        ? (first ?? second)
        : (place) => first(place) + second(place)
  }
}

export function textOrder(locale: string): Compare<string> {
  if (locale.trim() === '') return compareTexts
  const { compare } = new Intl.Collator(locale.trim(), { sensitivity: 'accent', numeric: true })
  return (one, other) =>
    one.length > LONG && other.length > LONG ? compareLong(one, other, compare) : compare(one, other)
}

/** In characters. To compare as many by a language takes some milliseconds, and cannot be put aside. */
const LONG = 128 * 1024
const PIECE = 32 * 1024
const MOST_PIECES = 16

/** Piece by piece. Where a dozen differ by no more than upper and lower case, the characters decide. */
function compareLong(one: string, other: string, compare: Compare<string>): number {
  for (let at = 0, compared = 0; at < one.length && at < other.length; at += PIECE) {
    const [left, right] = [one.slice(at, at + PIECE), other.slice(at, at + PIECE)]
    if (left === right) continue
    const difference = compare(left, right)
    if (difference !== 0) return difference
    if (++compared === MOST_PIECES) return compareTexts(one, other)
  }
  return one.length - other.length
}

export function localeFault(locale: string): string | undefined {
  try {
    textOrder(locale)
    return undefined
  } catch {
    return `"${locale}" is not a language. Write a tag such as de, sv or en-GB.`
  }
}
