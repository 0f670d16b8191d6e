import {
  inStretches,
  isPlainObject,
  type JsonValue,
  StepError,
  TURN_WORK,
  type Turns,
  type ValuePath
} from '../../plugin-api.ts'
import { describe } from './describe.ts'
import { WORK_PER_ROW } from './row-work.ts'

const MOST_NAMED = 12

/** `place` is the place of the item in its list, from 0. */
export function missingKey({ text }: Pick<ValuePath, 'text'>, item: JsonValue, place?: number): StepError {
  const where = place === undefined ? 'The data' : `Item ${place}`
  return new StepError(`${where} has no "${text}": ${keysOf(item)}`, {
    code: 'missing_key',
    retryable: false
  })
}

/**
 * The values that a path leads to in each row. A key that none of them has is a slip of whoever wrote it, and what came of it
 * would look right: a list that is not sorted, a sum of 0. `where` begins the message.
 */
export function* columnOf(
  rows: readonly JsonValue[],
  path: ValuePath,
  where = ''
): Turns<readonly (JsonValue | undefined)[]> {
  const values = yield* columnIn(rows, path)
  let hasSome = rows.length === 0
  yield* inStretches(values.length, WORK_PER_ROW, (from, to) => {
    for (let at = from; at < to && !hasSome; at++) hasSome = values[at] !== undefined
  })
  if (hasSome) return values
  const { message, code } = missingKey(path, rows[0]!, 0)
  throw new StepError(`${where}${message} No other item has it either.`, { code, retryable: false })
}

/** To read a member of many rows in a loop takes a hundredth of a microsecond for each. */
const WORK_PER_READ = 1

function* columnIn(rows: readonly JsonValue[], path: ValuePath): Turns<readonly (JsonValue | undefined)[]> {
  const work = path.keys.length * WORK_PER_READ
  if (rows.length * work <= TURN_WORK) return path.readAll(rows)
  const values: (JsonValue | undefined)[] = []
  yield* inStretches(rows.length, work, (from, to) => {
    for (const value of path.readAll(rows.slice(from, to))) values.push(value)
  })
  return values
}

function keysOf(item: JsonValue): string {
  if (!isPlainObject(item)) return `it is ${describe(item)}.`
  const keys = Object.keys(item)
  if (keys.length === 0) return 'it is empty.'
  const named = keys.slice(0, MOST_NAMED).map((key) => key.slice(0, 60))
  return `it has the keys ${named.join(', ')}${keys.length > MOST_NAMED ? ' and others' : ''}.`
}
