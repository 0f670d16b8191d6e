import type { JournalEntry, WaitingStep } from '../../engine/journal.ts'
import type { StoredRun } from '../../store/store.ts'
import { decodeEntry } from '../record/journal-codec.ts'
import { runStartOf } from '../record/run-start.ts'

interface TriedAgain {
  readonly at: number
  /** Only these of its items, where there are any. */
  readonly items?: readonly number[]
}

export function entriesOf(run: StoredRun): JournalEntry[] {
  const start = runStartOf(run)
  return run.journal.map((entry) => decodeEntry(entry, start))
}

/** When the step, or its run, was last to be tried again, and with which of the items; undefined where it never was. */
export function triedAgain(entries: readonly JournalEntry[], node: string): TriedAgain | undefined {
  const isTriedAgain = (step: WaitingStep) =>
    step.node === node && (step.wait === undefined || step.wait.kind === 'retry')
  const entry = entries.findLast(({ waiting = [] }) => waiting.some(isTriedAgain))
  if (entry === undefined) return undefined
  const { items } = entry.waiting!.find(isTriedAgain)!
  return { at: entry.at, ...(items !== undefined && { items }) }
}
