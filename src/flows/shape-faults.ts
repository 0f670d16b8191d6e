import type { Fault } from '../errors.ts'
import { escapePointer } from './check-fields.ts'

/** A validation error as TypeBox and Ajv both report it. */
export interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
  readonly message?: string | undefined
  readonly params: unknown
}

/** Turns a validator's errors into faults that say in plain words where and what, each place once. */
export function shapeFaults(
  errors: Iterable<SchemaError>,
  value: unknown,
  remedies: Readonly<Record<string, string>> = {},
  whole = 'The document '
): Fault[] {
  const faults = new Map<string, Fault>()
  for (const error of errors) {
    // TypeBox reports an unknown member twice: as `additionalProperties` and as a schema that is `false`.
    if (error.keyword === 'boolean') continue
    for (const fault of faultsOf(error, value, { remedies, whole })) {
      if (!faults.has(fault.path)) faults.set(fault.path, fault)
    }
  }
  return [...faults.values()]
}

interface Wording {
  readonly remedies: Readonly<Record<string, string>>
  /** What the value as a whole is called. */
  readonly whole: string
}

function faultsOf(error: SchemaError, value: unknown, { remedies, whole }: Wording): Fault[] {
  const params = error.params as Record<string, unknown>
  const at = error.instancePath
  switch (error.keyword) {
    case 'required':
      return listOf(params.requiredProperties ?? params.missingProperty).map((name) => ({
        code: 'missing_member',
        path: `${at}/${escapePointer(name)}`,
        message: `${placeOf(at, whole)}lacks "${name}". Add it.`
      }))
    case 'additionalProperties':
      return listOf(params.additionalProperties ?? params.additionalProperty).map((name) => ({
        code: 'unknown_member',
        path: `${at}/${escapePointer(name)}`,
        message: `${placeOf(at, whole)}has an unknown member "${name}". Remove it or mend its name.`
      }))
    case 'pattern': {
      const remedy = remedies[String(params.pattern)] ?? `It must match ${String(params.pattern)}.`
      return [
        { code: 'invalid_shape', path: at, message: `${placeOf(at, whole)}is ${shown(value, at)}. ${remedy}` }
      ]
    }
    case 'enum': {
      const allowed = listOf(params.allowedValues).map((value) => JSON.stringify(value))
      const message = `${placeOf(at, whole)}is ${shown(value, at)}. Use one of ${allowed.join(', ')}.`
      return [{ code: 'invalid_shape', path: at, message }]
    }
    default:
      return [
        {
          code: 'invalid_shape',
          path: at,
          message: `${placeOf(at, whole)}${error.message ?? 'is not valid'}.`
        }
      ]
  }
}

function listOf(names: unknown): string[] {
  return (Array.isArray(names) ? names : [names]).map(String)
}

function placeOf(pointer: string, whole: string): string {
  return pointer === '' ? whole : `"${pointer.slice(1).replaceAll('/', '.')}" `
}

function shown(value: unknown, pointer: string): string {
  let current = value
  for (const segment of pointer.split('/').slice(1)) {
    current = (current as Record<string, unknown> | undefined)?.[segment]
  }
  const text = JSON.stringify(current) ?? 'absent'
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
