import { writeJson } from '../../flows/json/exact-json.ts'
import { weigh } from '../../flows/json/json-pieces.ts'

/** In characters of JSON. What is longer is shown by its beginning. */
const MOST = 16 * 1024
const BEGINNING = 1_000

/** A value as a case holds it: there may be a thousand, each of megabytes. */
export function shownValue(value: unknown): unknown {
  if (value === undefined) return null
  if (weigh(value, MOST) <= MOST) return value
  if (typeof value === 'string') return beginningOf(value)
  if (Array.isArray(value)) return [...value.slice(0, 1).map(shownValue), `… ${value.length - 1} more`]
  const members = Object.entries(value as object).map(([name, member]) => [
    name,
    weigh(member, BEGINNING) <= BEGINNING ? member : beginningOf(textOf(member))
  ])
  const shown = Object.fromEntries(members.slice(0, 10)) as Record<string, unknown>
  return weigh(shown, MOST) <= MOST ? shown : beginningOf(writeJson(shown))
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return `[… ${value.length} items]`
  return `{… ${Object.keys(value as object).length} members}`
}

function beginningOf(text: string): string {
  return text.length <= BEGINNING ? text : `${text.slice(0, BEGINNING)}… (${text.length} characters)`
}
