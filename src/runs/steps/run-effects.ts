import type { Clock } from '../../clock.ts'
import type { Effects, NewWait, StepCall, WaitNews } from '../../engine/effects.ts'
import type { JournalEntry } from '../../engine/journal.ts'
import { invokeStep } from './invoke-step.ts'
import type { RunInContext } from './run-in-context.ts'
import type { RunOutputs } from './run-outputs.ts'
import type { StepWatch } from './step-watch.ts'

/** What becomes of a run's journal and its waits: a run has them in the store, an item in place and a node on trial do not. */
export type JournalEffects = Pick<Effects, 'awaits' | 'isStored' | 'checkpoint' | 'openWait' | 'closeWait'>

interface Parts {
  readonly around: RunInContext
  readonly outputs: RunOutputs
  readonly journal: JournalEffects
  readonly watch: StepWatch
  readonly clock: Clock
}

/** The outside of one run. A class: twelve functions made anew for every run were 4 % of what a run allocates. */
export class RunEffects implements Effects {
  readonly wallClock: Clock['now']
  readonly stopwatch: Clock['stopwatch']
  readonly random: Clock['random']
  readonly startTimer: Clock['startTimer']
  readonly newId: Clock['newId']
  readonly #parts: Parts

  constructor(parts: Parts) {
    const { clock } = parts
    this.wallClock = clock.now
    this.stopwatch = clock.stopwatch
    this.random = clock.random
    this.startTimer = clock.startTimer
    this.newId = clock.newId
    this.#parts = parts
  }

  invoke(call: StepCall): unknown {
    return invokeStep(call, this.#parts.around, this.#parts.watch)
  }

  over(call: StepCall, how: 'returned' | 'failed'): void {
    this.#parts.around.liveText.over(call, how)
  }

  keep(call: StepCall, values: Readonly<Record<string, unknown>> | null): Promise<boolean> | undefined {
    return this.#parts.outputs.keep(call, values)
  }

  get isStored(): boolean {
    return this.#parts.journal.isStored
  }

  awaits(isAwaiting: boolean): void {
    this.#parts.journal.awaits(isAwaiting)
  }

  checkpoint(entry: JournalEntry): Promise<boolean> {
    return this.#parts.journal.checkpoint(entry)
  }

  openWait(entry: JournalEntry, wait: NewWait): Promise<boolean> {
    return this.#parts.journal.openWait(entry, wait)
  }

  closeWait(node: string): Promise<WaitNews> {
    return this.#parts.journal.closeWait(node)
  }
}
