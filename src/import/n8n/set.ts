import { isMembers, type Members, membersIn, membersOf, textOf } from '../values.ts'
import { type Mapping, perItem } from './mapping.ts'
import { isWritten } from './n8n-text.ts'
import type { Writer } from './writer.ts'

/** Puts a value where a name with dots leads to. */
const PUT = `const $put = (target, path, value) => {
  const keys = path.split('.')
  const last = keys.pop()
  let at = target
  for (const key of keys) at = at[key] = typeof at[key] === 'object' && at[key] !== null ? { ...at[key] } : {}
  at[last] = value
  return target
}`

export const set: Mapping = (node, write, place) => {
  const { params } = node
  const values = assignmentsOf(params, write)
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
    values.some(({ name }) => name.includes('.')) && membersOf(params.options).dotNotation !== false
  const lines = values.map(({ name, js }) =>
    hasDots ? `$put(result, ${JSON.stringify(name)}, ${js})` : `result[${JSON.stringify(name)}] = ${js}`
  )
  const body = isRaw
    ? `return { ...${base}, ...${raw} }`
    : [`const result = ${base}`, ...lines, 'return result'].join('\n')
  return perItem(write, place, hasDots ? `${PUT}\n${body}` : body)
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

function assignmentsOf(params: Members, write: Writer): { name: string; js: string }[] {
  const newest = membersIn(membersOf(params.assignments).assignments)
  const newer = membersIn(membersOf(params.fields).values)
  const old = Object.entries(membersOf(params.values)).flatMap(([type, list]) =>
    membersIn(list).map((each) => ({ ...each, type }))
  )
  return [...newest, ...newer, ...old].flatMap((row: Members) => {
    const name = textOf(row.name)
    if (name === '') return []
    const type = textOf(row.type)
    const value = row.value ?? row[type] ?? row[`${type}Value`]
    return [{ name, js: typed(value, type, write) }]
  })
}

function typed(value: unknown, type: string, write: Writer): string {
  const js = write.js(value)
  if (/number/i.test(type)) return isWritten(value) ? `Number(${js})` : String(Number(value) || 0)
  if (/boolean/i.test(type)) return isWritten(value) ? js : String(value === true || value === 'true')
  const isJson = /array|object/i.test(type)
  if (isJson)
    return isWritten(value)
      ? `((json) => (typeof json === 'string' ? JSON.parse(json) : json))(${js})`
      : jsonOf(value, write)
  return js
}
