import { atOnce, type Turns } from '../in-turns.ts'
import { type JsonValue, PAYLOAD_DEPTH, parseJson } from './exact-json.ts'
import { parseJsonInTurns } from './parse-json-in-turns.ts'
import { MOST_MEMBERS } from './reading-bounds.ts'

const utf8 = new TextDecoder('utf-8')

/** The webhook body rule: JSON is taken as it is; any other body, and JSON beyond all bounds, is kept as text under `payload`. */
export function* readPayloadInTurns(body: Uint8Array | string): Turns<JsonValue> {
  const text = textOf(body)
  try {
    return yield* parseJsonInTurns(text, PAYLOAD_DEPTH, MOST_MEMBERS)
  } catch {
    return { payload: text }
  }
}

/** All in one turn: for what is short, or where nobody without a key can ask for it. */
export function readPayload(body: Uint8Array | string): JsonValue {
  return isShort(body) ? readShort(body) : atOnce(readPayloadInTurns(body))
}

/** In bytes or characters: what is read within a few milliseconds. For most runs turns cost more than reading (2 µs). */
const SHORT = 32 * 1024

export function isShort(body: Uint8Array | string): boolean {
  return body.length <= SHORT
}

function readShort(body: Uint8Array | string): JsonValue {
  const text = textOf(body)
  try {
    return parseJson(text, PAYLOAD_DEPTH)
  } catch {
    return { payload: text }
  }
}

function textOf(body: Uint8Array | string): string {
  return typeof body === 'string' ? withoutBom(body) : utf8.decode(body)
}

function withoutBom(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}
