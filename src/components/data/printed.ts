import {
  BoundedText,
  type JsonValue,
  TURN_WORK,
  type Turns,
  workOf,
  writeJson,
  writeJsonTo
} from '../../plugin-api.ts'

/** Text as it is, nothing as nothing, all else as JSON: what is large in turns. Throws TextTooLong. */
export function* printed(value: JsonValue | undefined, limit = Number.POSITIVE_INFINITY): Turns<string> {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (workOf(value) <= TURN_WORK) return writeJson(value)
  const text = new BoundedText(limit)
  yield* writeJsonTo(text, value)
  return text.toString()
}
