import { ExactNumber, isPlainObject, type JsonValue, writeJson } from '../../plugin-api.ts'

/** What tells values apart, as keys of a Map: the same for values that are alike, also for lists and objects. */
export type Identity = string | number | boolean | null

/** Begins what is no text of its own; a text that begins so gets another one before it. */
export const MARK = '\u0000'

/** Digits that every double keeps. */
const SAFE_DIGITS = 15

/** What is absent is as null. 1 and 1.0 are alike; 1 and "1" are not. */
export function identityOf(value: JsonValue | undefined): Identity {
  if (typeof value === 'string') return value.charCodeAt(0) === 0 ? MARK + value : value
  if (typeof value !== 'object') return value ?? null
  if (value === null) return null
  return value instanceof ExactNumber ? numberIdentity(value) : `${MARK}j${writeJson(sortedMembers(value))}`
}

/** The same for keys of two sides, one of which may have its numbers as text: 1 and "1" are alike. */
export function looseIdentity(identity: Identity): Identity {
  return typeof identity === 'number' ? String(identity) : identity
}

function numberIdentity({ source }: ExactNumber): Identity {
  const digits = source.replace(/[eE].*$/, '').replace(/\D/g, '')
  return digits.length <= SAFE_DIGITS ? Number(source) : `${MARK}n${source}`
}

export function sortedMembers(value: JsonValue): JsonValue {
  if (value instanceof ExactNumber) return numberIdentity(value)
  if (Array.isArray(value)) return value.map(sortedMembers)
  if (!isPlainObject(value)) return value
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, sortedMembers(value[name]!)]))
}
