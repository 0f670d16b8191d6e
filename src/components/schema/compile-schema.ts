import { isPlainObject, type JsonValue, type Turns } from '../../plugin-api.ts'
import { Judgement, JudgementEnded, type SchemaFault } from './judgement.ts'
import { SchemaError } from './keywords.ts'
import { readSchema } from './read-schema.ts'
import { workInTurns } from './work.ts'

/** A JSON Schema, ready to judge values. */
export interface CompiledSchema {
  /** What does not fit, one entry for each place; empty where all does. `whole` is what the value is called. */
  judge(value: unknown, whole?: string): Turns<readonly SchemaFault[]>
}

/** What keeps this from being a JSON Schema; undefined where it can be used. */
export function schemaFault(schema: JsonValue): string | undefined {
  if (!isPlainObject(schema))
    return 'takes a JSON Schema: an object such as {"type": "object", "properties": {…}}.'
  try {
    compileSchema(schema)
    return undefined
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error
    return error.message
  }
}

/**
 * Reads a schema once; nothing of it becomes code. Values are held against it in turns, in bounded work whatever is in
 * either. Throws a SchemaError.
 */
export function compileSchema(schema: JsonValue): CompiledSchema {
  const root = readSchema(schema)
  return {
    *judge(value, whole = 'The value') {
      const judgement = new Judgement(whole)
      try {
        yield* workInTurns(root.judge(value, undefined, judgement))
      } catch (error) {
        if (!(error instanceof JudgementEnded)) throw error
      }
      return judgement.faults
    }
  }
}
