import type { Clock } from '../../clock.ts'
import type { Effects, NewWait, StepCall, WaitNews } from '../../engine/effects.ts'
import type { JournalEntry } from '../../engine/journal.ts'
import type { ExecutableRun } from '../../store/store.ts'
import type { EncodedEntry } from '../record/journal-codec.ts'
import { invokeStep } from '../steps/invoke-step.ts'
import type { RunOutputs } from '../steps/run-outputs.ts'
import type { RunInContext } from '../steps/step-arguments.ts'
import { closeWait, openWait } from '../steps/step-waits.ts'
import type { ExecutorDeps } from './executing-run.ts'

/** Whoever executes the run writes its journal, and tells that it waits. */
export interface WritesJournal {
  awaits(isAwaiting: boolean): void
  /** Resolves to false when the run has ended elsewhere, or the service stops before the store takes the entry. */
  checkpoint(entry: JournalEntry, write?: (encoded: EncodedEntry) => Promise<number | null>): Promise<boolean>
}

interface Parts {
  readonly run: ExecutableRun
  readonly around: RunInContext
  readonly outputs: RunOutputs
  readonly writer: WritesJournal
  readonly deps: ExecutorDeps
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
    const { clock } = parts.deps
    this.wallClock = clock.now
    this.stopwatch = clock.stopwatch
    this.random = clock.random
    this.startTimer = clock.startTimer
    this.newId = clock.newId
    this.#parts = parts
  }

  invoke(call: StepCall): unknown {
    return invokeStep(call, this.#parts.around, this.#parts.deps.watch)
  }

  over(call: StepCall, how: 'returned' | 'failed'): void {
    this.#parts.around.liveText.over(call, how)
  }

  awaits(isAwaiting: boolean): void {
    this.#parts.writer.awaits(isAwaiting)
  }

  keep(call: StepCall, values: Readonly<Record<string, unknown>> | null): Promise<boolean> | undefined {
    return this.#parts.outputs.keep(call, values)
  }

  checkpoint(entry: JournalEntry): Promise<boolean> {
    return this.#parts.writer.checkpoint(entry)
  }

  openWait(entry: JournalEntry, wait: NewWait): Promise<boolean> {
    const { run, writer, deps } = this.#parts
    return writer.checkpoint(entry, (encoded) => openWait(run, encoded, wait, deps))
  }

  closeWait(node: string): Promise<WaitNews> {
    return closeWait(this.#parts.run, node, this.#parts.deps)
  }
}
