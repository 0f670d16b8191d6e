import type { NewWait, StoredWait, WaitState } from '../../../waits.ts'
import { isParked, isWoken } from '../../queue/job-states.ts'

/** The first child that failed ends the wait. */
export const sqlIsStopped = (wait: string) => `(${wait}.stops_on_failure = 1 AND ${wait}.children_failed > 0)`

/** True for a wait whose run has a reason to go on: it was woken, or its children have ended. */
export const sqlHasEnded = (wait: string) =>
  `(${wait}.state = 'woken' OR (${wait}.kind = 'children' AND (${wait}.children_left = 0 OR ${sqlIsStopped(wait)})))`

/**
 * True for the job of a parked run that waits for more than its next attempt: a wait of it is open, or was ended and nobody
 * has taken the run up since.
 */
export const sqlIsWaiting = (job: string, seq: string) => `(${isParked(job)} AND (${isWoken(job)} OR EXISTS (
  SELECT 1 FROM millrace.waits w WHERE w.run_seq = ${seq} AND w.state = 'open' AND NOT ${sqlHasEnded('w')})))`

/** In these, `w` is waits and `r` is runs. */
export const waitColumns = `w.run_seq, w.node, w.flow_id, w.id, w.kind, w.state, w.created_at, w.expires_at, w.question, w.answer,
  w.ended_at, r.id AS run_id, r.is_test`
export const waitsAndRuns = 'millrace.waits w JOIN millrace.runs r ON r.seq = w.run_seq'

export interface WaitRow {
  readonly run_seq: number
  readonly node: string
  readonly flow_id: string
  readonly id: string
  readonly kind: NewWait['kind']
  readonly state: WaitState
  readonly created_at: number
  readonly expires_at: number | null
  readonly question: string | null
  readonly answer: string | null
  readonly ended_at: number | null
  readonly run_id: string
  /** 1 or null. */
  readonly is_test: number | null
}

export function storedWait(row: WaitRow): StoredWait {
  return {
    id: row.id,
    node: row.node,
    kind: row.kind,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    question: row.question,
    runSeq: row.run_seq,
    runId: row.run_id,
    flowId: row.flow_id,
    isTest: row.is_test === 1,
    state: row.state,
    answer: row.answer,
    endedAt: row.ended_at
  }
}
