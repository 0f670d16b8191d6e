import { isPlainObject, type JsonValue } from '../../../../src/flows/json/exact-json.ts'

export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly { readonly [key: string]: JsonValue }[]
}

/** A list of objects is a table of all their keys; an object is one of a single row. Anything else is not a table. */
export function tableOf(value: JsonValue): Table | undefined {
  const rows = Array.isArray(value) ? value : [value]
  if (rows.length === 0 || !rows.every(isPlainObject)) return undefined
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return columns.length === 0 ? undefined : { columns, rows }
}
