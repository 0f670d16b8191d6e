import { ExactNumber, type JsonValue } from '../../plugin-api.ts'

/** A value in a message: what it is, and of a short one what it says. */
export function describe(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (typeof value === 'string')
    return value === '' ? 'an empty text' : `the text ${JSON.stringify(cut(value))}`
  if (typeof value === 'number' || value instanceof ExactNumber) return `the number ${cut(String(value))}`
  if (typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? 'a list' : 'an object'
}

function cut(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`
}
