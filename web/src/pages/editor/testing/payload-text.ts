import { type JsonValue, jsonIn, writeJson } from '../../../../../src/flows/json/exact-json.ts'

export function isJson(text: string): boolean {
  return jsonIn(text) !== undefined
}

/** The payload that somebody wrote, as a Webhook reads it: what is not JSON is text. */
export function payloadIn(text: string): JsonValue {
  const read = jsonIn(text)
  return read === undefined ? { payload: text } : read
}

/** A payload to be edited. */
export function textOfPayload(payload: JsonValue): string {
  return writeJson(payload, 2)
}

export function pretty(body: string): string {
  const read = jsonIn(body)
  return read === undefined ? body : textOfPayload(read)
}
