import type { StepCall } from '../../engine/effects.ts'
import { bytesLeft, limitLeft, type OutputLimits, outputTooLarge } from '../../engine/output-limit.ts'
import { notJson } from '../../engine/step-outputs.ts'
import type { StepRecord } from '../../engine/step-record.ts'
import { MillraceError, messageOf } from '../../errors.ts'
import type { OutputLimit } from '../../flows/component/component.ts'
import { inTurns } from '../../flows/in-turns.ts'
import { TextTooLong } from '../../flows/json/bounded-text.ts'
import { shortWeight } from '../../flows/json/json-pieces.ts'
import { isLongValue, type LongRef, type LongValue } from '../../flows/json/long-value.ts'
import type { RunRef, RunStore } from '../../store/store.ts'
import type { RunStart, StoredValues } from '../record/run-start.ts'
import { encodeLong, loadLong } from './long-values.ts'
import type { Pacing } from './pacing.ts'

export interface RunOutputsDeps {
  readonly run: RunRef
  readonly start: RunStart
  readonly limits: OutputLimits
  readonly pacing: Pacing
  readonly store: Pick<RunStore, 'keepPiece' | 'readPiece'>
  /** Tries a write until it is durable; rejects with a MillraceError only when the service stops. */
  readonly persist: <T>(write: () => Promise<T>) => Promise<T>
  /** Which call they are of, where others of the same run have steps of the same names. */
  readonly place?: string
}

type Settled = ReadonlyMap<string, StepRecord>

interface LongOutput {
  /** Of the value among those of its run: the same when the step is repeated. */
  readonly key: string
  /** What it is, in the words of an error. */
  readonly name: string
  readonly value: unknown
}

interface Encoded extends LongOutput {
  readonly pieces: readonly Uint8Array[]
  readonly bytes: number
}

/**
 * What the steps of one run have put out so far: how much it is, and which long values are stored. A long value is
 * stored when its step settles, once, however many steps pass it on.
 */
export class RunOutputs implements StoredValues {
  readonly #deps: RunOutputsDeps
  /** Made for the first long value: few runs have any. */
  #refs: Map<unknown, LongRef> | undefined
  #putOut = 0

  constructor(deps: RunOutputsDeps) {
    this.#deps = deps
  }

  get input(): RunStart['input'] {
    return this.#deps.start.input
  }

  get request(): RunStart['request'] {
    return this.#deps.start.request
  }

  refOf(value: unknown): LongRef | undefined {
    return this.#refs?.get(value)
  }

  get pieces(): RunOutputsDeps['store'] {
    return this.#deps.store
  }

  /** What the next step may put out. */
  get left(): OutputLimit {
    return limitLeft(this.#deps.limits, this.#putOut)
  }

  /** Hot: once per step. Short values are measured by their length, and nothing more. */
  keep(call: StepCall, outputs: Readonly<Record<string, unknown>> | null): Promise<boolean> | undefined {
    let long: LongOutput[] | undefined
    let size = 0
    for (const name in outputs) {
      const value = outputs[name]
      if (this.#isGiven(value)) continue
      const weight = shortWeight(value)
      if (weight !== undefined) size += weight
      else {
        long ??= []
        long.push({ key: `outputs/${call.node.id}/${name}`, name, value })
      }
    }
    for (let index = 0; index < call.messages.length; index++) {
      const { text } = call.messages[index]!
      const weight = shortWeight(text)
      if (weight !== undefined) size += weight
      else {
        const key = `messages/${call.node.id}/${call.attempt}/${index}`
        long ??= []
        long.push({ key, name: 'message', value: text })
      }
    }
    if (call.answer !== undefined && outputs !== null) {
      const { body } = call.answer
      const weight = shortWeight(body)
      if (weight !== undefined) size += weight
      else {
        long ??= []
        long.push({ key: `answers/${call.node.id}/${call.attempt}`, name: 'answer', value: body })
      }
    }
    if (long !== undefined) return this.#keepLong(call, long, size)
    this.#count(size)
    return undefined
  }

  /** Takes over what was stored before, with long values in memory again. At once, where none is long. */
  restore(settled: Settled): Settled | Promise<Settled> {
    let hasLong = false
    for (const { outputs } of settled.values()) {
      for (const value of Object.values(outputs ?? {})) {
        if (isLongValue(value)) hasLong = true
        else if (!this.#isGiven(value)) this.#putOut += shortWeight(value) ?? 0
      }
    }
    return hasLong ? this.#loadAll(settled) : settled
  }

  async #loadAll(settled: Settled): Promise<Settled> {
    const loaded = new Map<string, StepRecord>()
    for (const [node, step] of settled) {
      const outputs: Record<string, unknown> = { ...step.outputs }
      for (const [name, value] of Object.entries(outputs)) {
        if (isLongValue(value)) outputs[name] = await this.#load(value)
      }
      loaded.set(node, step.outputs === null ? step : { ...step, outputs })
    }
    return loaded
  }

  async #load(value: LongValue): Promise<unknown> {
    const { persist, store } = this.#deps
    const known = this.#refs?.entries().find(([, ref]) => ref[1] === value.ref[1])
    if (known !== undefined) return known[0]
    const loaded = await loadLong(value, (...place) => persist(() => store.readPiece(...place)))
    this.#setRef(loaded, value.ref)
    this.#putOut += value.bytes
    return loaded
  }

  #isGiven(value: unknown): boolean {
    return typeof value === 'object' && (value === this.input || value === this.request)
  }

  async #keepLong(call: StepCall, long: readonly LongOutput[], short: number): Promise<boolean> {
    const encoded = await this.#encode(call, long, short)
    const bytes = encoded.reduce((sum, each) => sum + each.bytes, 0)
    this.#count(short + bytes)
    return this.#deps.pacing.writing(bytes, () => this.#writeAll(encoded))
  }

  /** All of it before anything is written: what is too much leaves nothing behind. */
  async #encode(call: StepCall, long: readonly LongOutput[], short: number): Promise<Encoded[]> {
    const limit = this.left
    const pacer = this.#deps.pacing.begin(call.abort)
    const encoded: Encoded[] = []
    let size = short
    for (const output of long) {
      const { name, value } = output
      if (this.#refs?.has(value) || encoded.some((each) => each.value === value)) continue
      // A character is a byte at the least.
      if (typeof value === 'string' && size + value.length > limit.bytes)
        throw outputTooLarge(limit, { size: size + value.length })
      try {
        const { pieces, bytes } = await inTurns(encodeLong(value, limit.bytes - size), pacer)
        encoded.push({ ...output, pieces, bytes })
        size += bytes
      } catch (error) {
        if (error instanceof TextTooLong) throw outputTooLarge(limit)
        throw error instanceof TypeError ? notJson(name, messageOf(error), error) : error
      }
    }
    return encoded
  }

  /** One piece after the other, each with a commit that others share. */
  async #writeAll(encoded: readonly Encoded[]): Promise<boolean> {
    const { run, persist, store, place } = this.#deps
    try {
      for (const { key: own, value, pieces, bytes } of encoded) {
        const key = place === undefined ? own : `${place}/${own}`
        for (const [piece, content] of pieces.entries()) {
          if (!(await persist(() => store.keepPiece(run, { name: key, piece, bytes: content })))) return false
        }
        this.#setRef(value, [run.seq, key, pieces.length, bytes])
      }
      return true
    } catch (error) {
      // The service stops before the store takes it: the next start repeats the step.
      if (error instanceof MillraceError) return false
      throw error
    }
  }

  #setRef(value: unknown, ref: LongRef): void {
    this.#refs ??= new Map()
    this.#refs.set(value, ref)
  }

  #count(size: number): void {
    if (size > bytesLeft(this.#deps.limits, this.#putOut)) throw outputTooLarge(this.left, { size })
    this.#putOut += size
  }
}
