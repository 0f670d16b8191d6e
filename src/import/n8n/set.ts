import { isMembers, type Members, membersIn, membersOf, textOf } from '../values.ts'
import { type Mapping, perItem } from './mapping.ts'
import type { N8nNode } from './n8n-node.ts'
import { isWritten } from './n8n-text.ts'
import type { Writer } from './writer.ts'

/** Puts a value where a name with dots leads to; what is there is copied, and not changed. */
const PUT = `const $put = (target, path, value) => {
  const keys = path.match(/[^.[\\]]+/g) ?? [path], last = keys.pop()
  let at = target
  keys.forEach((key, place) => {
    const inner = at[key], isList = /^\\d+$/.test(keys[place + 1] ?? last)
    at = at[key] = Array.isArray(inner) ? [...inner] : typeof inner === 'object' && inner !== null ? { ...inner } : isList ? [] : {}
  })
  at[last] = value
  return target
}`

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
  return perItem(write, place, body, hasDots ? [PUT] : [])
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
  const names = JSON.stringify(
    textOf(fields)
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
  )
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

/** n8n makes of a value what its type says; of one that is missing it makes null. */
function typed(value: unknown, type: string, write: Writer): string {
  const js = write.js(value)
  const isKnown = !isWritten(value)
  if (/number/i.test(type))
    return isKnown
      ? String(Number(value) || 0)
      : `((n) => (n === null || n === undefined ? null : Number(n)))(${js})`
  if (/boolean/i.test(type))
    return isKnown
      ? String(value === true || value === 'true')
      : `((is) => (is === 'true' || is === 1 || is === '1' ? true : is === 'false' || is === 0 || is === '0' ? false : is ?? null))(${js})`
  if (/array|object/i.test(type))
    return isKnown
      ? jsonOf(value, write)
      : `((json) => (typeof json === 'string' ? JSON.parse(json) : json ?? null))(${js})`
  return isKnown
    ? js
    : `((text) => (text === null || text === undefined ? null : typeof text === 'object' ? JSON.stringify(text) : String(text)))(${js})`
}
