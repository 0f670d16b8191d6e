import { ExactNumber, inStretches, type JsonValue, type Turns, WorkMeter } from '../../plugin-api.ts'
import { numberOf } from './number-of.ts'
import { WORK_PER_LOOKUP, WORK_PER_ROW } from './row-work.ts'
import type { Order } from './sort-in-turns.ts'
import { type Compare, compareValues, compareWritten, lengthOf } from './value-order.ts'

type Values = readonly (JsonValue | undefined)[]

interface ColumnRules {
  readonly texts: Compare<string>
  readonly direction: 1 | -1
  /** Where those without a value stand, whatever the direction. */
  readonly emptySide: 1 | -1
}

/** Columns of numbers alone, or of texts alone, are the most frequent ones, and compared several times as fast. */
export function* columnOrder(values: Values, rules: ColumnRules): Turns<Order> {
  const { direction } = rules
  const numbers = yield* asNumbers(values)
  if (numbers !== undefined)
    return {
      compare: (one, other) => direction * (numbers[one]! - numbers[other]!),
      workAt: undefined
    }
  const written = yield* asWrittenNumbers(values)
  if (written !== undefined) return writtenOrder(written, rules)
  if (yield* areTexts(values)) return textColumnOrder(values as readonly string[], rules)
  return {
    compare: (one, other) => compareMixed(values[one] ?? null, values[other] ?? null, rules),
    workAt: (place) => 2 * lengthOf(values[place])
  }
}

function* asNumbers(values: Values): Turns<Float64Array | undefined> {
  const numbers = new Float64Array(values.length)
  let areNumbers = true
  yield* inStretches(values.length, WORK_PER_ROW, (from, to) => {
    for (let at = from; at < to && areNumbers; at++) {
      const value = values[at]
      if (typeof value === 'number') numbers[at] = value
      else areNumbers = false
    }
  })
  return areNumbers ? numbers : undefined
}

interface WrittenNumbers {
  /** Not a number where there is no value. */
  readonly doubles: Float64Array
  /** As it is written, where that has more digits than the double. */
  readonly sources: readonly (string | undefined)[]
}

/** Numbers that are written as text, as in CSV, sort as numbers where the column has nothing else. */
function* asWrittenNumbers(values: Values): Turns<WrittenNumbers | undefined> {
  const doubles = new Float64Array(values.length).fill(Number.NaN)
  const sources: (string | undefined)[] = []
  const meter = new WorkMeter()
  for (let at = 0; at < values.length; at++) {
    const value = values[at]
    const number = value === undefined || value === null ? null : numberOf(value)
    if (number === undefined) return undefined
    sources.push(number instanceof ExactNumber ? number.source : undefined)
    if (number !== null) doubles[at] = Number(number)
    if (meter.isTurnOver(WORK_PER_LOOKUP + lengthOf(value))) yield
  }
  return { doubles, sources }
}

function writtenOrder({ doubles, sources }: WrittenNumbers, { direction, emptySide }: ColumnRules): Order {
  return {
    compare: (one, other) => {
      const left = doubles[one]!
      const right = doubles[other]!
      if (left < right) return -direction
      if (left > right) return direction
      if (Number.isNaN(left) || Number.isNaN(right))
        return emptySide * (Number(Number.isNaN(left)) - Number(Number.isNaN(right)))
      if (sources[one] === undefined && sources[other] === undefined) return 0
      return direction * compareWritten(sources[one] ?? String(left), sources[other] ?? String(right))
    },
    workAt: (place) => sources[place]?.length ?? 0
  }
}

function* areTexts(values: Values): Turns<boolean> {
  let areAll = true
  yield* inStretches(values.length, WORK_PER_ROW, (from, to) => {
    for (let at = from; at < to && areAll; at++) areAll = typeof values[at] === 'string'
  })
  return areAll
}

/** Those that are the same are told apart from others by a glance. */
function textColumnOrder(values: readonly string[], { texts, direction }: ColumnRules): Order {
  return {
    compare: (one, other) => {
      const left = values[one]!
      const right = values[other]!
      return left === right ? 0 : direction * texts(left, right)
    },
    workAt: (place) => values[place]!.length
  }
}

function compareMixed(
  left: JsonValue,
  right: JsonValue,
  { texts, direction, emptySide }: ColumnRules
): number {
  if (left === null || right === null) return emptySide * (Number(left === null) - Number(right === null))
  return direction * compareValues(left, right, texts)
}
