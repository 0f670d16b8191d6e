import {
  type ExactNumber,
  inStretches,
  type JsonValue,
  makeInTurns,
  StepError,
  TURN_WORK,
  type Turns,
  WorkMeter,
  workOf
} from '../../plugin-api.ts'
import { columnSums } from './column-sums.ts'
import { DecimalSum } from './decimal-sum.ts'
import { describe } from './describe.ts'
import { type Identity, identityOf } from './identity.ts'
import { identityInTurns } from './long-identity.ts'
import { numberOf } from './number-of.ts'
import { WORK_PER_LOOKUP, WORK_PER_ROW } from './row-work.ts'
import { compareValues, lengthOf } from './value-order.ts'

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
interface Grouped {
  readonly values: readonly (JsonValue | undefined)[]
  readonly of: Uint32Array
  readonly count: number
  /** The key that the values are of, for messages. */
  readonly key: string
}

/** What comes of the values of each group. Null and absent values count for nothing but first, last and list. */
export function aggregate(operation: Operation, grouped: Grouped): Turns<JsonValue[]> {
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
      return firsts(grouped)
    case 'last':
      return lasts(grouped)
    case 'list':
      return lists(grouped)
    case 'unique count':
      return uniqueCounts(grouped)
  }
}

function* counts({ values, of, count }: Grouped): Turns<number[]> {
  const found = new Array<number>(count).fill(0)
  yield* inStretches(values.length, WORK_PER_ROW, (from, to) => {
    for (let at = from; at < to; at++) if ((values[at] ?? null) !== null) found[of[at]!]!++
  })
  return found
}

function* sums(grouped: Grouped): Turns<(number | ExactNumber)[]> {
  const { values, of, count } = grouped
  return (yield* columnSums(values, of, count)) ?? (yield* exactSums(grouped))
}

/** What it takes to add up numbers of a thousand digits, and to write their sum, in characters. */
const WORK_PER_EXACT = 64
const WORK_PER_TOTAL = 512

function* exactSums({ values, of, count, key }: Grouped): Turns<(number | ExactNumber)[]> {
  const found = yield* makeInTurns(count, WORK_PER_LOOKUP, () => new DecimalSum())
  const meter = new WorkMeter()
  for (let at = 0; at < values.length; at++) {
    const value = values[at]
    if (typeof value === 'number') found[of[at]!]!.add(value)
    else if (value !== undefined && value !== null) found[of[at]!]!.add(asNumber(value, key, at))
    if (meter.isTurnOver(WORK_PER_EXACT + lengthOf(value))) yield
  }
  return yield* makeInTurns(count, WORK_PER_TOTAL, (group) => found[group]!.total())
}

function* averages(grouped: Grouped): Turns<(number | null)[]> {
  const found = yield* counts(grouped)
  const added = yield* sums(grouped)
  return yield* makeInTurns(grouped.count, WORK_PER_ROW, (group) =>
    found[group] === 0 ? null : Number(added[group]) / found[group]!
  )
}

function* extremes({ values, of, count }: Grouped, side: 1 | -1): Turns<JsonValue[]> {
  const found = new Array<JsonValue>(count).fill(null)
  const meter = new WorkMeter()
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? null
    if (meter.isTurnOver(WORK_PER_ROW + lengthOf(value))) yield
    if (value === null) continue
    const best = found[of[at]!]!
    if (best === null || side * compareValues(value, best) > 0) found[of[at]!] = value
  }
  return found
}

function* firsts({ values, of, count }: Grouped): Turns<JsonValue[]> {
  const found = new Array<JsonValue | undefined>(count)
  yield* inStretches(values.length, WORK_PER_ROW, (from, to) => {
    for (let at = from; at < to; at++) if (found[of[at]!] === undefined) found[of[at]!] = values[at] ?? null
  })
  return yield* makeInTurns(count, WORK_PER_ROW, (group) => found[group] ?? null)
}

function* lasts({ values, of, count }: Grouped): Turns<JsonValue[]> {
  const found = new Array<JsonValue>(count).fill(null)
  yield* inStretches(values.length, WORK_PER_ROW, (from, to) => {
    for (let at = from; at < to; at++) found[of[at]!] = values[at] ?? null
  })
  return found
}

function* lists({ values, of, count }: Grouped): Turns<JsonValue[][]> {
  const found = yield* makeInTurns(count, WORK_PER_LOOKUP, (): JsonValue[] => [])
  yield* inStretches(values.length, WORK_PER_ROW, (from, to) => {
    for (let at = from; at < to; at++) found[of[at]!]!.push(values[at] ?? null)
  })
  return found
}

function* uniqueCounts({ values, of, count }: Grouped): Turns<number[]> {
  const found = yield* makeInTurns(count, WORK_PER_LOOKUP, () => new Set<Identity>())
  const meter = new WorkMeter()
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? null
    const own = typeof value === 'object' || typeof value === 'string' ? workOf(value) : 0
    if (value !== null)
      found[of[at]!]!.add(own > TURN_WORK ? yield* identityInTurns(value) : identityOf(value))
    if (meter.isTurnOver(WORK_PER_LOOKUP + own)) yield
  }
  return yield* makeInTurns(count, WORK_PER_ROW, (group) => found[group]!.size)
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
