import { isPlainObject, type JsonValue } from '../../../../src/flows/json/exact-json.ts'
import { pathText } from '../template/template-path.ts'

/** A value that came, and how a template reaches it. */
export interface ArrivedKey {
  /** Without its braces. */
  readonly path: string
  readonly type: string
  /** Its beginning, as JSON; empty for what has parts of its own. */
  readonly shown: string
  readonly value: JsonValue
}

/** So many rows nobody reads. */
const MOST = 60
const DEEPEST = 3
const LONGEST = 80

/** The keys of a payload with their types and values, those of objects inside behind their own. Of a list, that it is one. */
export function arrivedKeys(payload: JsonValue): ArrivedKey[] {
  const keys: ArrivedKey[] = []
  gather(payload, [], keys)
  return keys
}

function gather(value: JsonValue, path: readonly string[], into: ArrivedKey[]): void {
  if (!isPlainObject(value) || path.length >= DEEPEST) return
  for (const [key, member] of Object.entries(value)) {
    if (into.length >= MOST) return
    const place = [...path, key]
    const text = pathText(place)
    if (text === undefined) continue
    into.push({ path: text, type: typeOf(member), shown: shownOf(member), value: member })
    gather(member, place, into)
  }
}

export function typeOf(value: JsonValue): string {
  if (value === null) return 'nothing'
  if (Array.isArray(value)) return value.length === 1 ? 'list of 1' : `list of ${value.length}`
  if (typeof value === 'boolean') return 'yes or no'
  if (typeof value === 'string') return 'text'
  return isPlainObject(value) ? 'object' : 'number'
}

function shownOf(value: JsonValue): string {
  if (Array.isArray(value) || isPlainObject(value)) return ''
  const text = typeof value === 'string' ? value : String(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
