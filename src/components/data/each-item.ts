import { isPlainObject, type JsonValue, StepError, type Turns } from '../../plugin-api.ts'
import { describe } from './describe.ts'
import { mapInTurns } from './map-in-turns.ts'

/** What a value is put under: a field of components that compute one. */
export const AS_FIELD = {
  as: {
    kind: 'text',
    title: 'Put it under',
    help: 'The data goes on, with the result as this member; of a list, in each item. Empty: the result alone.',
    placeholder: 'result'
  }
} as const

/** Computes a value of the data; of a list, one of each item. `index` is the place in the list. */
export function* eachItem(
  data: JsonValue | undefined,
  as: string,
  compute: (item: JsonValue, index: number) => JsonValue
): Turns<{ data: JsonValue }> {
  const name = as.trim()
  const put = (item: JsonValue, index: number) => {
    const value = compute(item, index)
    return name === '' ? value : { ...objectOf(item), [name]: value }
  }
  if (!Array.isArray(data)) return { data: put(data ?? null, 0) }
  return { data: yield* mapInTurns(data, (item, index) => inItem(index, () => put(item, index))) }
}

/** Whatever goes wrong in an item of a list, told with its place. */
function inItem<T>(index: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof StepError)) throw error
    throw new StepError(`Item ${index}: ${error.message}`, {
      code: error.code,
      retryable: error.retryable,
      cause: error
    })
  }
}

function objectOf(item: JsonValue): { [key: string]: JsonValue } {
  if (item === null) return {}
  if (isPlainObject(item)) return item
  throw new StepError(
    `It is ${describe(item)}, which has no members. Leave "Put it under" empty, or send objects.`,
    { code: 'not_an_object', retryable: false }
  )
}
