import { ExactNumber, type JsonValue } from '../../plugin-api.ts'

const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?\s*$/

/** A number, also one that is written as text, as in CSV; undefined for all else. */
export function numberOf(value: JsonValue | undefined): number | ExactNumber | undefined {
  if (typeof value === 'number' || value instanceof ExactNumber) return value
  if (typeof value !== 'string' || !NUMBER.test(value)) return undefined
  return exactNumber(value.trim())
}

/** A plain number where that keeps every digit that was written. */
export function exactNumber(text: string): number | ExactNumber {
  const plain = Number(text)
  if (String(plain) === text) return plain
  const source = text
    .replace(/^\+/, '')
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.(?=$|[eE])/, '')
  return String(Number(source)) === source ? Number(source) : new ExactNumber(source)
}
