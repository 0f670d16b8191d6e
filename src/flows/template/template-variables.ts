import type { Field } from './parse-field.ts'

/** Root names in order of first appearance, without doubles and without context variables. */
export function variablesOf(fields: readonly Field[]): readonly string[] {
  return distinct(fields.filter((field) => field.contextName === undefined).map(rootOf))
}

/** The names used as `{$name}`, without the `$`. */
export function contextVariablesOf(fields: readonly Field[]): readonly string[] {
  return distinct(fields.flatMap((field) => field.contextName ?? []))
}

function rootOf(field: Field): string {
  return field.steps[0]!.key
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
}
