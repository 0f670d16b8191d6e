import { type CompiledSchema, compileSchema, schemaFault } from '../components/schema/compile-schema.ts'
import type { JsonValue } from '../flows/json/exact-json.ts'

/** By the very object that a version holds: an entry is read anew whenever a context changes, its schema once. */
const compiled = new WeakMap<object, CompiledSchema | null>()

/** What payloads are held against. A trigger of a plugin may say what is no schema: then they are not. */
export function payloadSchema(said: JsonValue | undefined): CompiledSchema | null {
  if (typeof said !== 'object' || said === null) return null
  let schema = compiled.get(said)
  if (schema === undefined) {
    schema = schemaFault(said) === undefined ? compileSchema(said) : null
    compiled.set(said, schema)
  }
  return schema
}
