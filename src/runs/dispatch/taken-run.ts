import type { ExecutableRun } from '../../store/store.ts'
import type { Executed, ExecutionListener } from '../execute/executing-run.ts'
import type { Lane } from './lane.ts'

export interface Told {
  done(taken: TakenRun, how: Executed): void
  awaits(isAwaiting: boolean): void
}

/** A run that is being executed, as far as the dispatcher has to do with it. Functions made anew for each were 2 % of what a run allocates. */
export class TakenRun implements ExecutionListener {
  readonly run: ExecutableRun
  readonly lane: Lane
  /** What it holds in memory; see RunMemory. */
  readonly weight: number
  readonly #told: Told
  isDone = false

  constructor(run: ExecutableRun, lane: Lane, weight: number, told: Told) {
    this.run = run
    this.lane = lane
    this.weight = weight
    this.#told = told
  }

  done(how: Executed): void {
    this.isDone = true
    this.#told.done(this, how)
  }

  awaits(isAwaiting: boolean): void {
    this.#told.awaits(isAwaiting)
  }
}

export function executedAlready(runId: string): Error {
  return new Error(`run ${runId} is being executed, and was about to be executed a second time at once`)
}
