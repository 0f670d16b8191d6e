import type { AcceptedRun, EndStatus, RunSummary, StoredOutcome, StoredRun } from '../store.ts'
import { jobs, sqlJobOf, sqlQueueOf } from './job-rows.ts'

// In all of these, `r` is runs and `o` is outcomes.
export const runColumns =
  'r.seq, r.id, r.flow_id, r.flow_version, r.trigger, r.session, r.created_at, r.replay_of'
const endColumns = 'o.no, o.status, o.started_at, o.finished_at, o.error'
/** The journal outlives the end of its run, so this can be asked whenever it is needed. */
const hasJournal = 'EXISTS (SELECT 1 FROM millrace.journal j WHERE j.run_seq = r.seq) AS has_journal'

/** Null where the run has ended. */
const isClaimed = `(
  SELECT q.state = 'active' FROM ${jobs} q
  WHERE q.name = ${sqlQueueOf('r.flow_id')} AND q.id = ${sqlJobOf('r.seq')}
) AS is_claimed`

export const outcomeColumns = `${endColumns}, o.steps`
const acceptedColumns = `${runColumns}, r.request, r.input`
/** The entries of a run's journal, or null where it has none. */
const journalColumn =
  '(SELECT array_agg(j.entry ORDER BY j.no) FROM millrace.journal j WHERE j.run_seq = r.seq) AS journal'

export const fullColumns = `${acceptedColumns}, ${outcomeColumns}, ${journalColumn}, ${isClaimed}`
export const summaryColumns = `${runColumns}, ${endColumns}, ${hasJournal}, ${isClaimed}`
export const runsAndOutcomes = 'millrace.runs r LEFT JOIN millrace.outcomes o ON o.seq = r.seq'

export interface RunRow {
  readonly seq: number
  readonly id: string
  readonly flow_id: string
  readonly flow_version: number
  readonly trigger: string
  readonly session: string
  readonly created_at: number
  readonly replay_of: string | null
}

/** All null when the run is open, which `no` tells. */
interface EndRow {
  readonly no: number | null
  readonly status: EndStatus
  readonly started_at: number | null
  readonly finished_at: number
  readonly error: string | null
}

interface Claimable {
  readonly is_claimed: boolean | null
}

export interface SummaryRow extends RunRow, EndRow, Claimable {
  readonly has_journal: boolean
}

export interface OutcomeRow extends EndRow {
  readonly steps: string
}

export interface FullRow extends RunRow, OutcomeRow, Claimable {
  readonly request: string | null
  readonly input: Buffer
  readonly journal: readonly string[] | null
}

export function runFacts(row: RunRow): Omit<AcceptedRun, 'input' | 'request'> {
  return {
    seq: row.seq,
    id: row.id,
    flowId: row.flow_id,
    flowVersion: row.flow_version,
    trigger: row.trigger,
    session: row.session,
    createdAt: row.created_at,
    replayOf: row.replay_of
  }
}

export function storedRun(row: FullRow): StoredRun {
  return {
    ...runFacts(row),
    input: row.input,
    request: row.request,
    outcome: storedOutcome(row),
    journal: row.journal ?? [],
    ...claimed(row)
  }
}

function claimed({ is_claimed }: Claimable): { isClaimed?: true } {
  return is_claimed === true ? { isClaimed: true } : {}
}

export function storedOutcome(row: OutcomeRow): StoredOutcome | null {
  if (row.no === null) return null
  return {
    no: row.no,
    status: row.status,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    error: row.error,
    steps: row.steps
  }
}

export function runSummary(row: SummaryRow): RunSummary {
  const { no, status, started_at: startedAt, finished_at: finishedAt, error } = row
  return {
    ...runFacts(row),
    outcome: no === null ? null : { no, status, startedAt, finishedAt, error },
    hasJournal: row.has_journal,
    ...claimed(row)
  }
}
