import { isPlainObject, type JsonValue } from '../../../../src/flows/json/exact-json.ts'
import type { Scope } from '../../../../src/flows/template/read-path.ts'

/** Enough to learn the keys of a list; a payload may hold a hundred thousand items. */
export const MAX_ITEMS = 200

/** The objects that a template is filled from: the payload itself, or each item of a list. */
export function scopesOf(payload: JsonValue | undefined): Scope[] {
  if (isPlainObject(payload)) return [payload]
  return Array.isArray(payload) ? payload.slice(0, MAX_ITEMS).filter((item) => isPlainObject(item)) : []
}
