import { isPlainObject, type JsonValue, type ValuePath } from '../../plugin-api.ts'

/** A copy with another value where the path leads. */
export function putAt(item: JsonValue, path: ValuePath, value: JsonValue): JsonValue {
  const isOneKey = isPlainObject(item) && Object.hasOwn(item, path.text)
  return replaced(item, isOneKey ? [path.text] : path.keys, value)
}

function replaced(item: JsonValue, [key, ...deeper]: readonly string[], value: JsonValue): JsonValue {
  if (key === undefined) return value
  if (Array.isArray(item)) return item.with(Number(key), replaced(item[Number(key)]!, deeper, value))
  return isPlainObject(item) ? { ...item, [key]: replaced(item[key]!, deeper, value) } : item
}
