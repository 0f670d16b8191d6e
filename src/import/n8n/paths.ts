import { listOf, type Members, membersIn, membersOf, textOf } from '../values.ts'
import { isWritten } from './n8n-text.ts'
import type { Writer } from './writer.ts'

/** Reads, in code, where a name with dots leads to; a key of just that name comes first. */
export const GET = `const $get = (json, path) => (Object.hasOwn(Object(json), path) ? json[path] : (path.match(/[^.[\\]"']+/g) ?? []).reduce((value, key) => value?.[key], json))`

/** Puts a value where a name with dots leads to; what is there is copied, and not changed. */
export const PUT = `const $put = (target, path, value) => {
  const keys = path.match(/[^.[\\]]+/g) ?? [path], last = keys.pop()
  let at = target
  keys.forEach((key, place) => {
    const inner = at[key], isList = /^\\d+$/.test(keys[place + 1] ?? last)
    at = at[key] = Array.isArray(inner) ? [...inner] : typeof inner === 'object' && inner !== null ? { ...inner } : isList ? [] : {}
  })
  at[last] = value
  return target
}`

/** Leaves out what such names lead to. */
export const WITHOUT = `const $without = (json, paths) => {
  const copy = JSON.parse(JSON.stringify(json ?? {}))
  for (const path of paths) {
    const keys = Object.hasOwn(copy, path) ? [path] : path.match(/[^.[\\]]+/g) ?? [], last = keys.pop(), inner = keys.reduce((value, key) => value?.[key], copy)
    if (typeof inner === 'object' && inner !== null) delete inner[last]
  }
  return copy
}`

/** The same where nobody reads dots. */
const PLAIN = {
  [GET]: 'const $get = (json, path) => json?.[path]',
  [PUT]: 'const $put = (target, path, value) => { target[path] = value; return target }',
  [WITHOUT]:
    'const $without = (json, paths) => Object.fromEntries(Object.entries(json ?? {}).filter(([name]) => !paths.includes(name)))'
}

/** Helpers that read names with dots, unless the node is told not to. */
export function byPaths(options: Members, ...helpers: readonly (keyof typeof PLAIN)[]): string {
  return helpers.map((helper) => (options.disableDotNotation === true ? PLAIN[helper] : helper)).join('\n')
}

/** Names of fields, as versions write them: `a, b`, a list, or `{"fields": [{"fieldName": "a"}]}`. */
export function fieldNames(value: unknown): string[] {
  const listed = membersIn(membersOf(value).fields).map(({ fieldName }) => textOf(fieldName))
  const names = Array.isArray(value) ? listOf(value).map(textOf) : textOf(value).split(',')
  return [...listed, ...names].map((name) => name.trim()).filter((name) => name !== '')
}

/** The same as a list in code; they may be computed. */
export function fieldNamesCode(value: unknown, write: Writer): string {
  if (!isWritten(value)) return JSON.stringify(fieldNames(value))
  return `[${write.js(value)}].flat().flatMap((names) => String(names ?? '').split(',')).map((name) => name.trim()).filter((name) => name !== '')`
}
