import { isUtf8 } from 'node:buffer'
import type { Turns } from '../../flows/in-turns.ts'
import { PAYLOAD_DEPTH } from '../../flows/json/exact-json.ts'
import { JsonBytes } from '../../flows/json/json-bytes.ts'
import { MOST_MEMBERS } from '../../flows/json/reading-bounds.ts'
import { isSoundJson } from '../../flows/json/sound-json.ts'
import type { ExecutableRun } from '../../store/store.ts'
import { type RunStart, readRequest, runStartOf } from './run-start.ts'

/** What a run started from, for those who only show it. */
export interface ShownStart extends Omit<RunStart, 'input'> {
  readonly input: RunStart['input'] | JsonBytes
}

/** In bytes. What is shorter is read at once, as outputs are that are not stored by themselves. */
const SHORT = 64 * 1024

const utf8 = new TextDecoder('utf-8')

/** A long payload is shown as it came, where it is JSON. */
export function* shownStart(run: Pick<ExecutableRun, 'input' | 'request'>): Turns<ShownStart> {
  if (run.input.length <= SHORT) return runStartOf(run)
  return {
    input: yield* shownPayload(run.input),
    request: run.request === null ? null : readRequest(run.request)
  }
}

/** See readPayload, whose rule it is. */
function* shownPayload(input: Uint8Array | string): Turns<ShownStart['input']> {
  const bytes = plainBytes(input)
  const isJson = yield* isSoundJson(bytes, PAYLOAD_DEPTH, MOST_MEMBERS)
  return isJson ? new JsonBytes(bytes) : { payload: utf8.decode(bytes) }
}

/** Without a byte order mark, and with a sign in place of what is not a character. */
function plainBytes(input: Uint8Array | string): Uint8Array {
  const bytes = typeof input === 'string' ? Buffer.from(input) : input
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return hasMark || !isUtf8(bytes) ? Buffer.from(utf8.decode(bytes)) : bytes
}
