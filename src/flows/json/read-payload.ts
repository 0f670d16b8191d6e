import { atOnce, type Turns } from '../in-turns.ts'
import { type JsonValue, PAYLOAD_DEPTH } from './exact-json.ts'
import { parseJsonInTurns } from './parse-json-in-turns.ts'
import { MOST_MEMBERS } from './reading-bounds.ts'

const utf8 = new TextDecoder('utf-8')

/** The webhook body rule: JSON is taken as it is; any other body, and JSON beyond all bounds, is kept as text under `payload`. */
export function* readPayloadInTurns(body: Uint8Array | string): Turns<JsonValue> {
  const text = typeof body === 'string' ? withoutBom(body) : utf8.decode(body)
  try {
    return yield* parseJsonInTurns(text, PAYLOAD_DEPTH, MOST_MEMBERS)
  } catch {
    return { payload: text }
  }
}

/** All in one turn: for what is short, or where nobody without a key can ask for it. */
export function readPayload(body: Uint8Array | string): JsonValue {
  return atOnce(readPayloadInTurns(body))
}

function withoutBom(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}
