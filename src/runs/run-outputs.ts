import type { StepCall } from '../engine/effects.ts'
import { limitLeft, type OutputLimits, outputTooLarge } from '../engine/output-limit.ts'
import { notJson } from '../engine/step-outputs.ts'
import { messageOf } from '../errors.ts'
import { TextTooLong } from '../flows/bounded-text.ts'
import type { OutputLimit } from '../flows/component.ts'
import { PAYLOAD_DEPTH } from '../flows/exact-json.ts'
import { inTurns, type Turns } from '../flows/in-turns.ts'
import { jsonPieces, shortWeight } from '../flows/json-pieces.ts'
import type { Pacing } from './pacing.ts'

export interface RunOutputsDeps {
  /** What came with the request: it is stored with the run, and nothing that its steps put out. */
  readonly storedValues: readonly unknown[]
  readonly limits: OutputLimits
  readonly pacing: Pacing
}

interface LongOutput {
  /** What it is, in the words of an error. */
  readonly name: string
  readonly value: unknown
}

/** What the steps of one run have put out so far. */
export class RunOutputs {
  readonly #deps: RunOutputsDeps
  #putOut = 0

  constructor(deps: RunOutputsDeps) {
    this.#deps = deps
  }

  /** What the next step may put out. */
  get left(): OutputLimit {
    return limitLeft(this.#deps.limits, this.#putOut)
  }

  /** Hot: once per step. Short values are measured by their length, and nothing more. */
  keep(call: StepCall, outputs: Readonly<Record<string, unknown>> | null): Promise<boolean> | undefined {
    const long: LongOutput[] = []
    let size = 0
    for (const name in outputs) {
      const value = outputs[name]
      if (typeof value === 'object' && this.#deps.storedValues.includes(value)) continue
      const weight = shortWeight(value)
      if (weight === undefined) long.push({ name, value })
      else size += weight
    }
    for (const { text } of call.messages) {
      const weight = shortWeight(text)
      if (weight === undefined) long.push({ name: 'message', value: text })
      else size += weight
    }
    if (long.length > 0) return this.#keepLong(call, long, size)
    this.#count(size)
    return undefined
  }

  async #keepLong(call: StepCall, long: readonly LongOutput[], short: number): Promise<boolean> {
    const limit = this.left
    const pacer = this.#deps.pacing.begin(call.abort)
    const seen = new Set<unknown>()
    let size = short
    for (const { name, value } of long) {
      if (seen.has(value)) continue
      seen.add(value)
      // A character is a byte at the least.
      if (typeof value === 'string' && size + value.length > limit.bytes)
        throw outputTooLarge(limit, { size: size + value.length })
      try {
        size += await inTurns(measure(value, limit.bytes - size), pacer)
      } catch (error) {
        if (error instanceof TextTooLong) throw outputTooLarge(limit)
        throw error instanceof TypeError ? notJson(name, messageOf(error), error) : error
      }
    }
    this.#count(size)
    return true
  }

  #count(size: number): void {
    const limit = this.left
    if (size > limit.bytes) throw outputTooLarge(limit, { size })
    this.#putOut += size
  }
}

/** The bytes of a value as JSON. Throws TextTooLong past `most`, and TypeError for what JSON cannot hold. */
function* measure(value: unknown, most: number): Turns<number> {
  let bytes = 0
  for (const piece of jsonPieces(value, { maxDepth: PAYLOAD_DEPTH })) {
    bytes += Buffer.byteLength(piece)
    if (bytes > most) throw new TextTooLong(most)
    yield
  }
  return bytes
}
