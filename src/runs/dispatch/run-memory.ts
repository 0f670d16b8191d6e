import { COLON, COMMA, OPEN_BRACE, OPEN_BRACKET } from '../../flows/json/json-tokens.ts'
import type { RunInMemory } from '../execute/run-window.ts'

/** As of places: however much a flow holds, others find room. */
const SHARE_OF_ONE = 3 / 4

/**
 * What runs under way hold in memory by what they were given, of which the sender decides: 1 MB of `{},` is 21 MB once it is read, and
 * waits with its run for an answer from outside. What does not fit waits in the store. The last that begins may go beyond the bound, so any
 * run fits by itself, and none has to wait for a moment at which all others are done.
 */
export class RunMemory {
  readonly #limit: number
  #bytes = 0
  readonly #ofFlow = new Map<string, number>()

  constructor(limit = Number.POSITIVE_INFINITY) {
    this.#limit = limit
  }

  get hasRoom(): boolean {
    return this.#bytes < this.#limit
  }

  hasRoomFor(flowId: string): boolean {
    return this.hasRoom && (this.#ofFlow.get(flowId) ?? 0) < this.#limit * SHARE_OF_ONE
  }

  take(flowId: string, bytes: number): void {
    this.#bytes += bytes
    this.#ofFlow.set(flowId, (this.#ofFlow.get(flowId) ?? 0) + bytes)
  }

  give(flowId: string, bytes: number): void {
    this.#bytes -= bytes
    const left = this.#ofFlow.get(flowId)! - bytes
    if (left > 0) this.#ofFlow.set(flowId, left)
    else this.#ofFlow.delete(flowId)
  }
}

/** Shorter texts are not looked through. Ten times their length is what a list of records would be held to take. */
const SHORT = 256
const OF_SHORT = 10
/** Measured over the worst shapes: none takes more than 1.2 times what these two come to. Plain records take a quarter of it. */
const OF_CHARACTER = 2
const OF_MARK = 48

/** About what a run takes in memory at most, in bytes, by what it is started with. */
export function weightOf({ run, journal }: Pick<RunInMemory, 'run' | 'journal'>): number {
  let weight = weightOfText(run.input)
  for (const entry of journal) weight += weightOfText(entry)
  return weight
}

function weightOfText(text: Uint8Array | string): number {
  if (text.length <= SHORT) return text.length * OF_SHORT
  const marks = typeof text === 'string' ? marksInText(text) : marksInBytes(text)
  return text.length * OF_CHARACTER + marks * OF_MARK
}

/**
 * 1 where JSON has a value, or room for one: to tell those apart that stand inside of texts would take longer than it is worth. A table: to
 * compare each character with four was 2.5 µs for 300 bytes, which is 0.9 so.
 */
const MARKS = new Uint8Array(256)
for (const code of [COMMA, COLON, OPEN_BRACE, OPEN_BRACKET]) MARKS[code] = 1

function marksInBytes(bytes: Uint8Array): number {
  let marks = 0
  for (let at = 0; at < bytes.length; at++) marks += MARKS[bytes[at]!]!
  return marks
}

/** To make bytes of it first would cost as much again. */
function marksInText(text: string): number {
  let marks = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < MARKS.length) marks += MARKS[code]!
  }
  return marks
}
