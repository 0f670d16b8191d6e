import { isPlainObject, type JsonValue } from '../../../../src/flows/json/exact-json.ts'

/** A template that prints this very text. */
export function escapeText(text: string): string {
  return text.replaceAll('{', '{{').replaceAll('}', '}}')
}

/** JSON whose texts are templates, and which gives this very value. */
export function escapeTree(value: JsonValue): JsonValue {
  if (typeof value === 'string') return escapeText(value)
  if (Array.isArray(value)) return value.map(escapeTree)
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, escapeTree(member)]))
}
