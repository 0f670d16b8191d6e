import { isPlainObject, type JsonValue, StepError, TURN_WORK, type Turns, workOf } from '../../plugin-api.ts'
import { describe } from './describe.ts'
import { WORK_PER_ITEM } from './map-in-turns.ts'

/** What a value is put under: a field of components that compute one. */
export const AS_FIELD = {
  as: {
    kind: 'text',
    title: 'Put it under',
    help: 'The data goes on, with the result as this member; of a list, in each item. Empty: the result alone.',
    placeholder: 'result'
  }
} as const

type Compute<Made> = (item: JsonValue, index: number) => Made

/**
 * Computes a value of the data; of a list, one of each item. `index` is the place in the list. `computeLong` is for items that take
 * more than a turn.
 */
export function* eachItem(
  data: JsonValue | undefined,
  as: string,
  compute: Compute<JsonValue>,
  computeLong?: Compute<Turns<JsonValue>>
): Turns<{ data: JsonValue }> {
  const name = as.trim()
  const putUnder = (item: JsonValue, value: JsonValue) =>
    name === '' ? value : { ...objectOf(item), [name]: value }
  const put = (item: JsonValue, index: number) => putUnder(item, compute(item, index))
  function* putLong(item: JsonValue, index: number): Turns<JsonValue> {
    return putUnder(item, computeLong === undefined ? compute(item, index) : yield* computeLong(item, index))
  }
  if (!Array.isArray(data)) {
    const item = data ?? null
    return { data: workOf(item) > TURN_WORK ? yield* putLong(item, 0) : put(item, 0) }
  }
  const made: JsonValue[] = []
  while (made.length < data.length) {
    if (made.length > 0) yield
    if (putSome(data, put, made) === 'short') continue
    made.push(yield* longItem(made.length, putLong(data[made.length]!, made.length)))
  }
  return { data: made }
}

/** As many more as a turn has time for, up to one that is long. */
function putSome(items: readonly JsonValue[], put: Compute<JsonValue>, made: JsonValue[]): 'long' | 'short' {
  for (let at = made.length, work = 0; at < items.length && work < TURN_WORK; at++) {
    const item = items[at]!
    const own = workOf(item)
    if (own > TURN_WORK) return 'long'
    made.push(inItem(at, () => put(item, at)))
    work += WORK_PER_ITEM + own
  }
  return 'short'
}

function* longItem(index: number, putting: Turns<JsonValue>): Turns<JsonValue> {
  try {
    return yield* putting
  } catch (error) {
    throw ofItem(index, error)
  }
}

/** Whatever goes wrong in an item of a list, told with its place. */
function inItem<T>(index: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw ofItem(index, error)
  }
}

function ofItem(index: number, error: unknown): unknown {
  if (!(error instanceof StepError)) return error
  return new StepError(`Item ${index}: ${error.message}`, {
    code: error.code,
    retryable: error.retryable,
    cause: error
  })
}

function objectOf(item: JsonValue): { [key: string]: JsonValue } {
  if (item === null) return {}
  if (isPlainObject(item)) return item
  throw new StepError(
    `It is ${describe(item)}, which has no members. Leave "Put it under" empty, or send objects.`,
    { code: 'not_an_object', retryable: false }
  )
}
