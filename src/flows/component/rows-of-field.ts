import { isPlainObject, type JsonValue } from '../json/exact-json.ts'
import type { RowsField } from './field-kinds.ts'

/** The rows of a field with all of their columns: what a row does not say is the first choice, or empty. */
export function wholeRows(
  { columns }: Pick<RowsField, 'columns'>,
  value: JsonValue
): { [column: string]: JsonValue }[] {
  if (!Array.isArray(value)) return []
  const [first = ''] = Object.keys(columns)
  const empty = Object.fromEntries(
    Object.entries(columns).map(([name, { choices }]) => [name, choices?.[0] ?? ''])
  )
  return value.map((row) => ({ ...empty, ...(isPlainObject(row) ? row : { [first]: firstOf(row) }) }))
}

/** A draft may hold anything, also what is too deep to be printed. */
function firstOf(row: JsonValue): string {
  return typeof row === 'string' ? row : ''
}
