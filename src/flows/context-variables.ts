import type { AnyComponent } from './component.ts'
import { type JsonValue, writeJson } from './exact-json.ts'

/** What a variable can be called: what `{$name}` can read, in templates and in fields. */
export const VARIABLE_NAME = '^[A-Za-z_][A-Za-z0-9_-]*$'

const variableName = new RegExp(VARIABLE_NAME)
const VARIABLE = /\{\$([A-Za-z_][A-Za-z0-9_-]*)\}/g

/** Refuses a variable that no flow could read, in words for the author of the plugin that sets it. */
export function assertVariable(name: unknown, value: unknown): void {
  if (typeof name !== 'string' || !variableName.test(name)) {
    throw new TypeError(
      `A variable is called ${JSON.stringify(name)}. Use letters, digits, hyphens and underscores, for example "region".`
    )
  }
  if (['string', 'number', 'boolean'].includes(typeof value) || (typeof value === 'object' && value !== null))
    return
  throw new TypeError(`The variable "${name}" is ${String(value)}. Give it text, a number, true or false.`)
}

/** Whether a field's text reads variables of the context. */
export function readsVariables(value: unknown): value is string {
  return typeof value === 'string' && value.includes('{$')
}

/** The fields whose text reads variables. A template reads them by itself. */
export function variableFieldsOf(
  component: AnyComponent,
  fields: Readonly<Record<string, JsonValue>>
): string[] {
  return Object.keys(fields).filter(
    (name) => component.fields?.[name]?.kind !== 'template' && readsVariables(fields[name])
  )
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
