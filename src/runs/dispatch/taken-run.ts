import type { RunToPerform } from '../../store/store.ts'
import type { PerformanceListener, Performed } from '../perform/performance.ts'
import type { Lane } from './lane.ts'

export interface Told {
  done(taken: TakenRun, how: Performed): void
  awaits(isAwaiting: boolean): void
}

/** A run that is being performed, as far as the dispatcher has to do with it. Functions made anew for each were 2 % of what a run allocates. */
export class TakenRun implements PerformanceListener {
  readonly run: RunToPerform
  readonly lane: Lane
  /** What it holds in memory; see RunMemory. */
  readonly weight: number
  readonly #told: Told
  isDone = false

  constructor(run: RunToPerform, lane: Lane, weight: number, told: Told) {
    this.run = run
    this.lane = lane
    this.weight = weight
    this.#told = told
  }

  done(how: Performed): void {
    this.isDone = true
    this.#told.done(this, how)
  }

  awaits(isAwaiting: boolean): void {
    this.#told.awaits(isAwaiting)
  }
}
