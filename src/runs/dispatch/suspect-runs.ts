import type { RunStore } from '../../store/store.ts'
import { isSuspect } from '../execute/quarantine.ts'
import type { StepWatch } from '../steps/step-watch.ts'

export interface SuspectRunsDeps {
  readonly store: Pick<RunStore, 'lastChange' | 'hungSteps'>
  /** Processes in a row, right before this one, that did not stop in order. */
  readonly deaths: number
  readonly watch?: Pick<StepWatch, 'suspect'>
}

/** Runs that processes right before this one may have died of. */
export class SuspectRuns {
  readonly #deps: SuspectRunsDeps
  /** The newest run that may have been in the hands of processes that died. */
  #newest = 0
  /** Runs with a step that held the thread until its process was ended. */
  #hung: ReadonlySet<number> = new Set()

  constructor(deps: SuspectRunsDeps) {
    this.#deps = deps
  }

  async find(): Promise<void> {
    const { store, deaths, watch } = this.#deps
    if (deaths === 0) return
    this.#hung = new Set((await store.hungSteps()).map(({ seq }) => seq))
    const newest = await store.lastChange()
    watch?.suspect?.(newest)
    if (isSuspect(deaths)) this.#newest = newest
  }

  has(seq: number): boolean {
    return seq <= this.#newest
  }

  mayHaveHung(seq: number): boolean {
    return this.#hung.has(seq)
  }
}
