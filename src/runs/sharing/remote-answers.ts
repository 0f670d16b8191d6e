import type { RunQueue } from '../../store/shared-store.ts'
import type { AnswerWatch } from '../answers/answer-watch.ts'
import { UnderWay } from './under-way.ts'

interface RemoteAnswersDeps {
  readonly queue: Pick<RunQueue, 'endsOf'>
  readonly watch: Pick<AnswerWatch, 'awaited' | 'isAwaited' | 'look' | 'onWait'>
  readonly onError: (error: unknown, doing: string) => void
}

/** Word of an answer may come before whoever accepted the run has begun to wait; so many are remembered. */
const LATELY = 1_000

/** Tells those who wait here for the answer of a run that another process has written one. */
export class RemoteAnswers {
  readonly #deps: RemoteAnswersDeps
  readonly #underWay = new UnderWay()
  /** Two halves: the older one goes when the newer one is full. */
  #lately = new Set<string>()
  #before = new Set<string>()
  #isLooking = false
  #isStopped = false

  constructor(deps: RemoteAnswersDeps) {
    this.#deps = deps
    deps.watch.onWait = (runId) => {
      if (this.#lately.has(runId) || this.#before.has(runId)) deps.watch.look(runId)
    }
  }

  /** These have an answer, or have ended. */
  take(runIds: readonly string[]): void {
    const { watch } = this.#deps
    for (const runId of runIds) {
      if (watch.isAwaited(runId)) watch.look(runId)
      else this.#remember(runId)
    }
  }

  /** Signals were missed: each may have been answered. */
  missed(): void {
    for (const runId of this.#deps.watch.awaited) this.#deps.watch.look(runId)
  }

  /** Who was to tell of the end may have died. */
  look(): void {
    const awaited = [...this.#deps.watch.awaited]
    if (this.#isStopped || this.#isLooking || awaited.length === 0) return
    this.#isLooking = true
    void this.#underWay.add(this.#lookFor(awaited))
  }

  /** Resolves when nothing is asked of the store any more. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#underWay.over()
  }

  async #lookFor(runIds: readonly string[]): Promise<void> {
    const { queue, watch, onError } = this.#deps
    try {
      for (const runId of (await queue.endsOf(runIds)).keys()) watch.look(runId)
    } catch (error) {
      onError(error, 'looking whether runs have answered')
    } finally {
      this.#isLooking = false
    }
  }

  #remember(runId: string): void {
    if (this.#lately.size >= LATELY) {
      this.#before = this.#lately
      this.#lately = new Set()
    }
    this.#lately.add(runId)
  }
}
