import { type ExactNumber, type JsonValue, StepError } from '../../plugin-api.ts'
import { columnSums } from './column-sums.ts'
import { DecimalSum } from './decimal-sum.ts'
import { describe } from './describe.ts'
import { identityOf } from './identity.ts'
import { numberOf } from './number-of.ts'
import { compareValues } from './value-order.ts'

export const OPERATIONS = [
  'count',
  'sum',
  'average',
  'min',
  'max',
  'first',
  'last',
  'list',
  'unique count'
] as const

export type Operation = (typeof OPERATIONS)[number]

/** A column of values and the group that each belongs to. */
export interface Grouped {
  readonly values: readonly (JsonValue | undefined)[]
  readonly of: Uint32Array
  readonly count: number
  /** The key that the values are of, for messages. */
  readonly key: string
}

/** What comes of the values of each group. Null and absent values count for nothing but first, last and list. */
export function aggregate(operation: Operation, grouped: Grouped): JsonValue[] {
  switch (operation) {
    case 'count':
      return counts(grouped)
    case 'sum':
      return sums(grouped)
    case 'average':
      return averages(grouped)
    case 'min':
      return extremes(grouped, -1)
    case 'max':
      return extremes(grouped, 1)
    case 'first':
      return lists(grouped).map((values) => values[0] ?? null)
    case 'last':
      return lists(grouped).map((values) => values.at(-1) ?? null)
    case 'list':
      return lists(grouped)
    case 'unique count':
      return lists(grouped).map(
        (values) => new Set(values.filter((value) => value !== null).map(identityOf)).size
      )
  }
}

function counts({ values, of, count }: Grouped): number[] {
  const found = new Array<number>(count).fill(0)
  for (let at = 0; at < values.length; at++) if ((values[at] ?? null) !== null) found[of[at]!]!++
  return found
}

function sums(grouped: Grouped): (number | ExactNumber)[] {
  const { values, of, count } = grouped
  return columnSums(values, of, count) ?? exactSums(grouped).map((sum) => sum.total())
}

function exactSums({ values, of, count, key }: Grouped): DecimalSum[] {
  const found = Array.from({ length: count }, () => new DecimalSum())
  for (let at = 0; at < values.length; at++) {
    const value = values[at]
    if (typeof value === 'number') found[of[at]!]!.add(value)
    else if (value !== undefined && value !== null) found[of[at]!]!.add(asNumber(value, key, at))
  }
  return found
}

function averages(grouped: Grouped): (number | null)[] {
  const found = counts(grouped)
  return sums(grouped).map((sum, group) => (found[group] === 0 ? null : Number(sum) / found[group]!))
}

function extremes({ values, of, count }: Grouped, side: 1 | -1): JsonValue[] {
  const found = new Array<JsonValue>(count).fill(null)
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? null
    if (value === null) continue
    const best = found[of[at]!]!
    if (best === null || side * compareValues(value, best) > 0) found[of[at]!] = value
  }
  return found
}

function lists({ values, of, count }: Grouped): JsonValue[][] {
  const found = Array.from({ length: count }, (): JsonValue[] => [])
  for (let at = 0; at < values.length; at++) found[of[at]!]!.push(values[at] ?? null)
  return found
}

/** Far beyond any amount. A number such as 1e999999999 is sent in a moment, and would be added up for years. */
const SUMMABLE = /^[-\d.]{1,400}(?:[eE][+-]?\d{1,3})?$/

function asNumber(value: JsonValue, key: string, place: number): number | ExactNumber {
  const number = numberOf(value)
  if (number !== undefined && SUMMABLE.test(String(number))) return number
  throw new StepError(
    `"${key}" of item ${place} is ${describe(value)}, and only numbers can be added up. Convert it, or filter such items out before.`,
    { code: 'not_a_number', retryable: false }
  )
}
