import { type JsonValue, writeJson } from './exact-json.ts'

const VARIABLE = /\{\$([A-Za-z_][A-Za-z0-9_-]*)\}/g

/** Whether a field's text reads variables of the context. */
export function readsVariables(value: unknown): value is string {
  return typeof value === 'string' && value.includes('{$')
}

export class VariableMissing extends Error {
  readonly code = 'variable_missing'
  readonly retryable = false

  constructor(name: string, field: string, known: readonly string[]) {
    const list = known.length === 0 ? 'No variable is set there.' : `Set there: ${known.join(', ')}.`
    super(
      `Field "${field}" reads the variable {$${name}}, which neither the flow's context nor one above it sets. ${list}`
    )
    this.name = 'VariableMissing'
  }
}

/** Fills `{$name}` in a field's text. Nothing else in it is read, and what is filled in is not read again. */
export function fillVariables(
  text: string,
  field: string,
  variables: Readonly<Record<string, JsonValue>>
): string {
  return text.replace(VARIABLE, (_whole, name: string) => {
    if (!Object.hasOwn(variables, name)) throw new VariableMissing(name, field, Object.keys(variables))
    const value = variables[name] as JsonValue
    return typeof value === 'string' ? value : writeJson(value)
  })
}
