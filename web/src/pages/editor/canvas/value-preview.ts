import { type JsonValue, writeJson } from '../../../../../src/flows/json/exact-json.ts'

const LONGEST = 160

/** The first output of a step on one line, cut where nobody reads on. */
export function previewOf(outputs: Readonly<Record<string, JsonValue>> | null): string | undefined {
  const [first] = Object.values(outputs ?? {})
  if (first === undefined || first === null) return undefined
  const text = (typeof first === 'string' ? first : writeJson(first)).replace(/\s+/g, ' ').trim()
  if (text === '') return undefined
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`
}

/** The end of a text that is still growing, on one line. */
export function tailOf(text: string): string {
  const line = text
    .slice(-2 * LONGEST)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length <= LONGEST ? line : `…${line.slice(-LONGEST)}`
}
