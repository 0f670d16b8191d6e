import {
  type EndRow,
  type OutcomeRow,
  type RunRow,
  runFacts,
  storedOutcome,
  summaryOutcome
} from '../rows/run-row.ts'
import type { AcceptedRun, RunSummary, StoredRun } from '../store.ts'
import { flowIdOf } from './interned-names.ts'

// In all of these, `r` is runs and `o` is outcomes.
export const runColumns = `r.seq, r.id, ${flowIdOf('r')}, r.flow_version, r.trigger, r.session, r.created_at, r.replay_of, r.is_test`
const endColumns = 'o.no, o.status, o.started_at, o.finished_at, o.error'
/** The journal outlives the end of its run, but then nobody asks for it. */
const firstEntry = `CASE WHEN o.no IS NULL
  THEN (SELECT j.entry FROM journal j WHERE j.run_seq = r.seq ORDER BY j.no LIMIT 1) END AS first_entry`

/** Of a parked run the queue tells it. */
const isWaiting =
  'CASE WHEN o.no IS NULL THEN (SELECT q.is_waiting FROM queue q WHERE q.seq = r.seq) END AS is_waiting'

const acceptedColumns = `${runColumns}, r.request, r.input`
export const outcomeColumns = `${endColumns}, o.steps`
export const fullColumns = `${acceptedColumns}, ${outcomeColumns}, ${isWaiting}`
export const summaryColumns = `${runColumns}, ${endColumns}, ${firstEntry}, ${isWaiting}`

interface WaitingRow {
  /** 1 or null. */
  readonly is_waiting: number | null
}

export interface SummaryRow extends RunRow, EndRow, WaitingRow {
  readonly first_entry: string | null
}

interface AcceptedRow extends RunRow {
  readonly request: string | null
  readonly input: Uint8Array
}

export interface FullRow extends AcceptedRow, OutcomeRow, WaitingRow {}

function acceptedRun(row: AcceptedRow): AcceptedRun {
  return { ...runFacts(row), input: row.input, request: row.request }
}

export function storedRun(row: FullRow, journal: readonly string[]): StoredRun {
  const run = { ...acceptedRun(row), outcome: storedOutcome(row), journal }
  return row.is_waiting === 1 ? { ...run, isWaiting: true } : run
}

export function runSummary(row: SummaryRow): RunSummary {
  const run = { ...runFacts(row), outcome: summaryOutcome(row), firstEntry: row.first_entry }
  return row.is_waiting === 1 ? { ...run, isWaiting: true } : run
}
