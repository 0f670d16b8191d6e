import { isLinkName, takenName } from '../graph/run-links.ts'
import { type JsonValue, parseJson, writeJson } from '../json/exact-json.ts'
import type { AnyComponent, Field } from './component.ts'

/** What a variable can be called: what `{$name}` can read, in templates and in fields. */
export const VARIABLE_NAME = '^[A-Za-z_][A-Za-z0-9_-]*$'

const variableName = new RegExp(VARIABLE_NAME)
const VARIABLE = /\{\$([A-Za-z_][A-Za-z0-9_-]*)(?:\.([A-Za-z0-9_-]+))?\}/g

/**
 * The value of a variable that a plugin sets, as it is from then on: what the plugin does to an object later changes
 * nothing. A variable that no flow could read is refused, in words for the author of the plugin.
 */
export function variableValue(name: unknown, value: unknown): JsonValue {
  if (typeof name !== 'string' || !variableName.test(name)) {
    const shown = typeof name === 'string' ? JSON.stringify(name) : String(name)
    throw new TypeError(
      `A variable is called ${shown}. Use letters, digits, hyphens and underscores, for example "region".`
    )
  }
  const taken = takenName(name)
  if (taken !== undefined) throw new TypeError(taken)
  if (typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) {
    return value as string | boolean | number
  }
  if (typeof value === 'object' && value !== null) return plainCopy(name, value)
  throw new TypeError(`The variable "${name}" is ${String(value)}. Give it text, a number, true or false.`)
}

function plainCopy(name: string, value: object): JsonValue {
  try {
    return parseJson(writeJson(value))
  } catch (error) {
    const cause = error instanceof Error ? error.message : 'it cannot be read'
    throw new TypeError(`The variable "${name}": ${cause}. Give it text, a number, true or false.`, {
      cause: error
    })
  }
}

/** Whether a field's text reads variables of the context. */
export function readsVariables(value: unknown): value is string {
  return typeof value === 'string' && value.includes('{$')
}

/** The fields whose text reads variables. A template reads them by itself, as a field of JSON that holds one does, and code not at all. */
export function variableFieldsOf(
  component: AnyComponent,
  fields: Readonly<Record<string, JsonValue>>
): string[] {
  return Object.keys(fields).filter((name) => {
    const field: Field | undefined = component.fields?.[name]
    const isCode = field?.kind === 'text' && field.language !== undefined
    return field?.kind !== 'template' && field?.kind !== 'json' && !isCode && readsVariables(fields[name])
  })
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
  return text.replace(VARIABLE, (whole, name: string, node: string | undefined) => {
    // Only addresses of the run are reached by a path: a field that is not a template knows no others.
    if (isLinkName(name) !== (node !== undefined)) return whole
    if (node !== undefined) return addressOf(name, node, variables) ?? whole
    if (!Object.hasOwn(variables, name)) throw new VariableMissing(name, field, Object.keys(variables))
    const value = variables[name] as JsonValue
    return typeof value === 'string' ? value : writeJson(value)
  })
}

function addressOf(
  name: string,
  node: string,
  variables: Readonly<Record<string, JsonValue>>
): string | undefined {
  const addresses = variables[name] as Readonly<Record<string, string>> | undefined
  return addresses !== undefined && Object.hasOwn(addresses, node) ? addresses[node] : undefined
}
