import { isPlainObject, type JsonValue } from '../../plugin-api.ts'

/** A webhook keeps a body that is not JSON as `{"payload": …}`, a text or a file. */
export function payloadOf(value: JsonValue | undefined): JsonValue | undefined {
  if (!isPlainObject(value)) return undefined
  const names = Object.keys(value)
  return names.length === 1 && names[0] === 'payload' ? value.payload : undefined
}
