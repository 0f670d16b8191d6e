import { isMembers, type Members, membersIn, membersOf, textOf } from '../values.ts'
import { type Mapping, perItem } from './mapping.ts'
import type { N8nNode } from './n8n-node.ts'
import { isWritten } from './n8n-text.ts'
import { fieldNames, PUT } from './paths.ts'
import type { Writer } from './writer.ts'

export const set: Mapping = (node, write, place) => {
  const { params } = node
  const values = assignmentsOf(node, write)
  const isRaw = params.mode === 'raw' || params.jsonOutput !== undefined
  const keeps = keepsOthers(params, node.version)
  const selected = textOf(params.include)
  const base = !keeps
    ? '{}'
    : selected === 'selected'
      ? only(params.includeFields, true)
      : selected === 'except'
        ? only(params.excludeFields, false)
        : '{ ...$json }'
  const raw = isRaw ? jsonOf(params.jsonOutput, write) : ''
  const hasDots =
    values.some(({ name }) => /[.[]/.test(name) || isWritten(name)) &&
    membersOf(params.options).dotNotation !== false
  const lines = values.map(({ name, js }) =>
    hasDots ? `$put(result, ${write.js(name)}, ${js})` : `result[${write.js(name)}] = ${js}`
  )
  const body = isRaw
    ? `return { ...${base}, ...${raw} }`
    : [`const result = ${base}`, ...lines, 'return result'].join('\n')
  const helpers = [
    ...(hasDots ? [PUT] : []),
    ...(lines.some((line) => line.includes('$as(')) ? [conversion(params)] : [])
  ]
  return perItem(write, place, body, helpers)
}

function keepsOthers(params: Members, version: number): boolean {
  if (params.keepOnlySet === true) return false
  if (version < 3) return true
  if (params.includeOtherFields !== undefined) return params.includeOtherFields === true
  const include = textOf(params.include)
  return version < 3.3
    ? include === '' || include === 'all' || include === 'selected' || include === 'except'
    : include === 'selected' || include === 'except'
}

function only(fields: unknown, isKept: boolean): string {
  const names = JSON.stringify(fieldNames(fields))
  return `Object.fromEntries(Object.entries($json).filter(([name]) => ${isKept ? '' : '!'}${names}.includes(name)))`
}

/** JSON as a text, in which expressions stand. */
function jsonOf(value: unknown, write: Writer): string {
  if (isMembers(value) || Array.isArray(value)) return JSON.stringify(value)
  const js = write.js(textOf(value) || '{}')
  return `((json) => (typeof json === 'string' ? JSON.parse(json) : json))(${js})`
}

function assignmentsOf({ params, version }: N8nNode, write: Writer): { name: string; js: string }[] {
  const newest = membersIn(membersOf(params.assignments).assignments)
  const newer = membersIn(membersOf(params.fields).values)
  const old = Object.entries(membersOf(params.values)).flatMap(([type, list]) =>
    membersIn(list).map((each) => ({ ...each, type }))
  )
  return [...newest, ...newer, ...old].flatMap((row: Members) => {
    const type = textOf(row.type) || 'stringValue'
    // Older ones have a name where nobody wrote one.
    const name = textOf(row.name) || (version < 3 ? 'propertyName' : '')
    if (name === '') return []
    const value = row.value ?? row[type] ?? row[`${type}Value`]
    return [{ name, js: version < 3 ? untyped(value, type, version, write) : typed(value, type, write) }]
  })
}

/** Before types were held, values stayed what they were; numbers are some since version 2. */
function untyped(value: unknown, type: string, version: number, write: Writer): string {
  const usual = { number: 0, boolean: false, string: '' }[type]
  const js = write.js(value ?? usual)
  return type === 'number' && version >= 2 && isWritten(value) ? `Number(${js})` : js
}

/** n8n makes of a value what its type says; of one that is missing it makes null, and what cannot be made fails. */
function typed(value: unknown, type: string, write: Writer): string {
  const js = write.js(value)
  const isKnown = !isWritten(value)
  if (/number/i.test(type)) {
    const isNumber = isKnown && textOf(value).trim() !== '' && !Number.isNaN(Number(value))
    return isNumber ? String(Number(value)) : `$as(${js}, $number, 'a number')`
  }
  if (/boolean/i.test(type))
    return typeof value === 'boolean' ? String(value) : `$as(${js}, $boolean, 'true or false')`
  if (/array|object/i.test(type)) {
    if (isKnown && isMembers(value)) return JSON.stringify(value)
    const name = /array/i.test(type) ? 'array' : 'object'
    return `$as(${js}, $${name}, 'an ${name}')`
  }
  return isKnown
    ? js
    : `((text) => (text === null || text === undefined ? null : typeof text === 'object' ? JSON.stringify(text) : String(text)))(${js})`
}

/** `$as(value, make, name)`. */
function conversion(params: Members): string {
  const failed =
    membersOf(params.options).ignoreConversionErrors === true
      ? 'value'
      : '(() => { throw new Error(JSON.stringify(value) + " is not " + name + ".") })()'
  return `const $number = (value) => (Number.isNaN(Number(value)) ? undefined : Number(value))
const $boolean = (value) => (typeof value === 'boolean' ? value : /^(?:true|false)$/i.test(value) ? String(value).toLowerCase() === 'true' : String(value).trim() === '' ? undefined : { 0: false, 1: true }[Number(value)])
const $read = (value, is) => { for (const text of [String(value), String(value).replaceAll("'", '"')]) try { const read = typeof value === 'string' ? JSON.parse(text) : value; return is(read) ? read : undefined } catch {} }
const $array = (value) => $read(value, Array.isArray)
const $object = (value) => $read(value, (read) => typeof read === 'object' && read !== null && !Array.isArray(read))
const $as = (value, make, name) => { if (value === undefined || value === null) return null; const made = make(value); return made === undefined ? ${failed} : made }`
}
