import { ExactNumber, isPlainObject, type JsonValue, writeJson } from '../../plugin-api.ts'
import type { SqlValue } from './bind-statement.ts'
import { sqlError } from './sql-errors.ts'

/** Always there: the same for every attempt at the step, so that a row that it is written to can be known again. */
export const IDEMPOTENCY_KEY = 'idempotency_key'

export function valuesBy(
  parameters: JsonValue | undefined,
  idempotencyKey: string,
  known: ReadonlySet<string>
): (name: string) => SqlValue {
  const given = isPlainObject(parameters) ? parameters : {}
  return (name) => {
    if (Object.hasOwn(given, name)) return sqlValue(given[name]!)
    if (name === IDEMPOTENCY_KEY) return idempotencyKey
    // It has a template whose key may be absent, and is.
    if (known.has(name)) return null
    throw sqlError('sql_parameter_missing', missingWords(name))
  }
}

export function missingWords(name: string): string {
  return `The query has the parameter :${name}, and Parameters does not say what it is. Add "${name}": "{${name}}" there`
}

/** Databases know no lists and objects of ours: they get them as JSON. */
function sqlValue(value: JsonValue): SqlValue {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber)
    ? writeJson(value)
    : value
}
