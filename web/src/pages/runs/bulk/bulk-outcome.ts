import type { RunStatus } from '../../../api/shapes.ts'
import type { BulkAction } from './bulk-action.ts'
import type { BulkProgress, BulkResult } from './run-bulk.ts'
import type { RunStatuses } from './run-statuses.ts'

/** What came of one run: it was refused, it is done, or another try was started, which has a state of its own. */
export type Outcome = 'refused' | 'done' | RunStatus

export function outcomeOf({ startedId, error }: BulkResult, statuses: RunStatuses): Outcome {
  if (error !== undefined) return 'refused'
  if (startedId === undefined) return 'done'
  // No event has named it yet: it was accepted.
  return statuses.get(startedId) ?? 'queued'
}

/** Somebody has to look at it: it was refused, or it failed once more. */
export function isTrouble(outcome: Outcome): boolean {
  return outcome === 'refused' || outcome === 'failed'
}

const STATUS_ORDER: readonly RunStatus[] = [
  'queued',
  'in progress',
  'waiting',
  'succeeded',
  'failed',
  'cancelled'
]

/** "3 of 4 started, 1 refused: 1 in progress, 2 failed"; of an action that starts nothing, "3 of 4 done, 1 refused". */
export function progressWords(
  { startsRuns }: Pick<BulkAction, 'startsRuns'>,
  { total, isFinished, isStopped }: Omit<BulkProgress, 'results'>,
  outcomes: readonly Outcome[]
): string {
  const count = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length
  const refused = count('refused')
  const done = `${formatted(outcomes.length - refused)} of ${formatted(total)} ${startsRuns ? 'started' : 'done'}`
  const problems = refused === 0 ? '' : `, ${formatted(refused)} refused`
  const end = isFinished && isStopped && outcomes.length < total ? ', stopped' : ''
  const states = STATUS_ORDER.filter((status) => count(status) > 0).map(
    (status) => `${formatted(count(status))} ${status}`
  )
  return done + problems + end + (states.length === 0 ? '' : `: ${states.join(', ')}`)
}

function formatted(count: number): string {
  return count.toLocaleString()
}
