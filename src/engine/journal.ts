import type { StepFailure, StepRecord } from './step-record.ts'

/**
 * What a checkpoint says. Folding the entries of a run in order gives all that must not be done again: steps
 * that are settled, attempts that were begun, waits that are under way.
 */
export interface JournalEntry {
  readonly at: number
  /** When the run began. */
  readonly startedAt: number
  readonly settled?: readonly StepRecord[]
  readonly begun?: readonly BegunStep[]
  readonly waiting?: readonly WaitingStep[]
  /** The run had ended and was opened again to go on from the step that failed. */
  readonly reopened?: true
}

export interface BegunStep {
  readonly node: string
  readonly type: string
  readonly attempt: number
}

export interface WaitingStep {
  readonly node: string
  readonly type: string
  readonly attempts: number
  /** When the attempt ended: other branches may go on before this is written. Absent in journals of before. */
  readonly endedAt?: number
  readonly until: number
  readonly error: StepFailure
}

/** All that the journal of a run tells. */
export interface JournalState {
  readonly startedAt: number | null
  readonly settled: ReadonlyMap<string, StepRecord>
  readonly waiting: ReadonlyMap<string, WaitingStep>
  /** Attempts that began and have no end: the process died in them. */
  readonly begun: ReadonlyMap<string, BegunStep>
  /** How often each step was cut off in the middle since its last result. */
  readonly interruptions: ReadonlyMap<string, number>
  /** How often each step held the thread until the process was ended. No journal tells: a thread beside noted it. */
  readonly hangs?: ReadonlyMap<string, number>
}

export const EMPTY_JOURNAL: JournalState = {
  startedAt: null,
  settled: new Map(),
  waiting: new Map(),
  begun: new Map(),
  interruptions: new Map()
}

export function recall(entries: readonly JournalEntry[]): JournalState {
  if (entries.length === 0) return EMPTY_JOURNAL
  const settled = new Map<string, StepRecord>()
  const waiting = new Map<string, WaitingStep>()
  const begun = new Map<string, BegunStep>()
  const interruptions = new Map<string, number>()
  for (const entry of entries) {
    for (const record of entry.settled ?? []) {
      settled.set(record.node, record)
      waiting.delete(record.node)
      begun.delete(record.node)
      interruptions.delete(record.node)
    }
    for (const wait of entry.waiting ?? []) {
      waiting.set(wait.node, wait)
      begun.delete(wait.node)
      interruptions.delete(wait.node)
    }
    for (const step of entry.begun ?? []) {
      const { node } = step
      if (begun.has(node)) interruptions.set(node, (interruptions.get(node) ?? 0) + 1)
      begun.set(node, step)
      waiting.delete(node)
    }
  }
  for (const node of begun.keys()) interruptions.set(node, (interruptions.get(node) ?? 0) + 1)
  return { startedAt: entries[0]!.startedAt, settled, waiting, begun, interruptions }
}
