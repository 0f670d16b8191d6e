import { type JsonValue, parseJson, writeJson } from '../../../../../src/flows/json/exact-json.ts'

export function isJson(text: string): boolean {
  return readJson(text) !== undefined
}

function readJson(text: string): { readonly value: JsonValue } | undefined {
  try {
    return { value: parseJson(text) }
  } catch {
    return undefined
  }
}

/** The payload that somebody wrote, as a Webhook reads it: what is not JSON is text. */
export function payloadIn(text: string): JsonValue {
  const read = readJson(text)
  return read === undefined ? { payload: text } : read.value
}

/** A payload to be edited. */
export function textOfPayload(payload: JsonValue): string {
  return writeJson(payload, 2)
}

export function pretty(body: string): string {
  const read = readJson(body)
  return read === undefined ? body : textOfPayload(read.value)
}
