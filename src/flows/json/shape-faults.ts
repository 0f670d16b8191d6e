import type { Fault } from '../../errors.ts'
import { counted } from '../counted.ts'
import { escapePointer } from './json-pointer.ts'

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
        message: `${placeOf(at, whole)}has an unknown member "${name}". Remove it or correct its name.`
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
    default: {
      const message = `${placeOf(at, whole)}is ${shown(value, at)}. ${remedyOf(error)}`
      return [{ code: 'invalid_shape', path: at, message }]
    }
  }
}

/** What to write instead, in words of people and not of JSON Schema. */
function remedyOf({ keyword, params, message = 'is not valid' }: SchemaError): string {
  const { type, limit } = params as { readonly type?: unknown; readonly limit?: number }
  switch (keyword) {
    case 'type':
      return `Write ${KINDS[String(type)] ?? String(type)}.`
    case 'minimum':
      return `Write ${limit} or more.`
    case 'maximum':
      return `Write ${limit} or less.`
    case 'minLength':
      return `Write at least ${counted(limit, 'character')}.`
    case 'maxLength':
      return `Write at most ${counted(limit, 'character')}.`
    case 'minItems':
      return `Give at least ${counted(limit, 'item')}.`
    case 'maxItems':
      return `Give at most ${counted(limit, 'item')}.`
    case 'maxProperties':
      return `Give at most ${counted(limit, 'member')}.`
    default:
      return `It ${message}.`
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object'
}

/** Lists and objects by that word: they may be long, and nested deeper than JSON can be written. */
function writeShown(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  // JSON would say null of a number that is too large for it.
  return typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? 'absent')
}

function listOf(names: unknown): string[] {
  return (Array.isArray(names) ? names : [names]).map(String)
}

function placeOf(pointer: string, whole: string): string {
  return pointer === '' ? whole : `"${pointer.slice(1).replaceAll('/', '.')}" `
}

const SECRET_PLACE = /^\/(?:secrets|api_key)(?:\/|$)/

function shown(value: unknown, pointer: string): string {
  let current = value
  for (const segment of pointer.split('/').slice(1)) {
    current = (current as Record<string, unknown> | undefined)?.[segment]
  }
  // An error is logged, shown and sent to people who help.
  if (SECRET_PLACE.test(pointer) && typeof current !== 'object') return 'of a wrong shape'
  const text = writeShown(current)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
