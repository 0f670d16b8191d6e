import { ExactNumber, type JsonValue } from '../json/exact-json.ts'
import { codePointCount } from './template-place.ts'

/**
 * What a value is, in words, without showing it: messages reach logs, and the value may be a secret.
 */
export function describeValue(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'string') return describeText(value)
  if (typeof value === 'boolean') return 'true or false'
  if (value instanceof ExactNumber || typeof value === 'number') return describeNumber(String(value))
  return 'an object'
}

function describeText(text: string): string {
  const count = codePointCount(text)
  return count === 1 ? 'text of 1 character' : `text of ${count} characters`
}

function describeNumber(text: string): string {
  return isIntegerText(text) ? 'a whole number' : 'a number with a decimal point or exponent'
}

/** Python reads JSON numbers the same way: an int unless a point or an exponent is written. */
export function isIntegerText(text: string): boolean {
  return !/[.eE]/.test(text)
}
