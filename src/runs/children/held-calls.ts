import { StepError } from '../../engine/step-error.ts'
import type { ExecutedChild } from '../../store/children.ts'

interface HeldCallsDeps {
  /** False where the store refuses what is in one of them; rejects when their parent has ended. */
  readonly record: (children: readonly ExecutedChild[]) => Promise<boolean>
  readonly startTimer: (ms: number, then: () => void) => { stop(): void }
}

/** No answer of a model is kept in memory alone for longer, while tools compute. */
const LONGEST_HELD_MS = 20

/**
 * What a step has asked and has come to an end, on its way to the store. It is written together, before anybody outside is told of it
 * or anything outside follows from it: an answer that calls nothing but pure tools shares its write with what those gave.
 */
export class HeldCalls {
  readonly #deps: HeldCallsDeps
  #held: ExecutedChild[] = []
  #timer: { stop(): void } | undefined
  /** Rejects for good once something could not be kept: nothing may follow from it. */
  #written: Promise<void> = Promise.resolve()

  constructor(deps: HeldCallsDeps) {
    this.#deps = deps
  }

  hold(call: ExecutedChild): void {
    this.#held.push(call)
    this.#timer ??= this.#deps.startTimer(LONGEST_HELD_MS, () => this.#begin())
  }

  /** Resolves when all that was held is durable. */
  write(): Promise<void> {
    this.#begin()
    return this.#written
  }

  #begin(): void {
    this.#timer?.stop()
    this.#timer = undefined
    if (this.#held.length === 0) return
    const writing = this.#writeAll(this.#held)
    this.#held = []
    this.#written = Promise.all([this.#written, writing]).then(() => {})
    // Whoever asks for it is told.
    this.#written.catch(() => {})
  }

  async #writeAll(calls: readonly ExecutedChild[]): Promise<void> {
    if (await this.#deps.record(calls)) return
    if (calls.length === 1) throw notKept()
    // What is wrong with one of them is not wrong with the others.
    const ends = await Promise.allSettled(calls.map((call) => this.#writeAll([call])))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }
}

function notKept(): StepError {
  return new StepError('What it found out cannot be stored.', { code: 'run_not_storable', retryable: false })
}
