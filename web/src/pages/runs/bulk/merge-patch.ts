import { isPlainObject, type JsonValue } from '../../../../../src/flows/json/exact-json.ts'

/** JSON merge patch, RFC 7396: keys replace, null removes, what is not named stays; anything but an object replaces all. */
export function mergePatch(value: JsonValue, patch: JsonValue): JsonValue {
  if (!isPlainObject(patch)) return patch
  const merged = new Map<string, JsonValue>(isPlainObject(value) ? Object.entries(value) : [])
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) merged.delete(key)
    else merged.set(key, mergePatch(merged.get(key) ?? null, change))
  }
  // Not by assignment: a payload may hold a key named __proto__.
  return Object.fromEntries(merged)
}
