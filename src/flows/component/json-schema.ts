import { Compile } from 'typebox/schema'
import { isPlainObject, type JsonValue } from '../json/exact-json.ts'
import { shapeFaults } from '../json/shape-faults.ts'

/** A JSON Schema, ready to judge values. */
export interface CompiledSchema {
  /** What does not fit, each in one sentence; empty where all does. */
  faults(value: unknown): readonly string[]
}

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']

/** What keeps this from being a JSON Schema; undefined where it can be used. */
export function schemaFault(schema: JsonValue): string | undefined {
  if (!isPlainObject(schema))
    return 'takes a JSON Schema: an object such as {"type": "object", "properties": {…}}.'
  const types = [schema.type ?? []].flat()
  const unknown = types.find((type) => !TYPES.includes(String(type)))
  if (unknown !== undefined) return `has the type ${JSON.stringify(unknown)}. Use one of ${TYPES.join(', ')}.`
  try {
    compileSchema(schema)
    return undefined
  } catch (error) {
    return `is not a JSON Schema: ${error instanceof Error ? error.message : String(error)}`
  }
}

export function compileSchema(schema: JsonValue): CompiledSchema {
  const compiled = Compile(schema as object)
  return {
    faults: (value) => {
      if (compiled.Check(value)) return []
      const [, errors] = compiled.Errors(value)
      return shapeFaults(errors, value, {}, 'The answer ').map(({ message }) => message)
    }
  }
}
