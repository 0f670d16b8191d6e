import type { JournalEntry } from './journal.ts'
import type { StepFailure, StepRecord } from './step-record.ts'

/** One attempt of a step that reaches outside, as the checkpoints around it tell. Times are of the wall clock. */
export interface AttemptRecord {
  readonly node: string
  readonly attempt: number
  /** Null where the attempt was made before the run was opened again. */
  readonly startedAt: number | null
  /** Null while it goes on, and for good where it was cut off: by a cancellation or a death of the process. */
  readonly endedAt: number | null
  /** When the step is tried again after this one. */
  readonly retryAt: number | null
  readonly error: StepFailure | null
}

/**
 * Every attempt that the journal of a run knows of, in the order in which they began. The records of an ended run are
 * needed too: the result that ends a run is written with its end and not into the journal.
 */
export function attemptHistory(
  entries: readonly JournalEntry[],
  records: readonly StepRecord[]
): AttemptRecord[] {
  const attempts: AttemptRecord[] = []
  for (const entry of entries) {
    // What began is in the entry that settles the step before it: first ends, then beginnings.
    for (const record of entry.settled ?? []) endBySettling(attempts, record)
    for (const { node, attempts: attempt, endedAt = entry.at, until, error, wait } of entry.waiting ?? []) {
      if (entry.reopened === true) {
        const madeBefore = { startedAt: null, endedAt: null, retryAt: entry.at }
        attempts.push({ node, attempt, ...madeBefore, error })
      } else {
        const retryAt = wait === undefined || wait.kind === 'retry' ? until : null
        end(attempts, { node, attempt }, { endedAt, retryAt, error })
      }
    }
    for (const { node, attempt } of entry.begun ?? [])
      attempts.push({
        node,
        attempt,
        startedAt: beginningOf(entry),
        endedAt: null,
        retryAt: null,
        error: null
      })
  }
  for (const record of records) endBySettling(attempts, record)
  return attempts
}

/** What a run that is opened again tells of had begun before. */
function beginningOf({ at, reopened }: JournalEntry): number | null {
  return reopened === true ? null : at
}

function endBySettling(attempts: AttemptRecord[], record: StepRecord): void {
  const { node, attempts: attempt, startedAt, durationMs, error } = record
  if (startedAt === null || durationMs === null) return
  // The step's own stopwatch: the entry that told of the beginning was written before the component was called.
  end(attempts, { node, attempt }, { startedAt, endedAt: startedAt + durationMs, error })
}

/** An attempt ends once: a wait is told again whenever the run is put aside. */
function end(
  attempts: AttemptRecord[],
  { node, attempt }: Pick<AttemptRecord, 'node' | 'attempt'>,
  news: Partial<AttemptRecord>
): void {
  const at = attempts.findLastIndex((each) => each.node === node && each.attempt === attempt)
  const found = attempts[at]
  if (found !== undefined && found.endedAt === null && found.startedAt !== null) {
    attempts[at] = { ...found, ...news }
  }
}
