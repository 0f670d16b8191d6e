import type { AcceptedRun, EndStatus, RunSummary, StoredOutcome, StoredRun } from '../store.ts'
import { flowIdOf } from './names.ts'

// In all of these, `r` is runs and `o` is outcomes.
export const runColumns = `r.seq, r.id, ${flowIdOf('r')}, r.flow_version, r.trigger, r.session, r.created_at, r.replay_of`
const endColumns = 'o.no, o.status, o.started_at, o.finished_at, o.error'
/** The journal outlives the end of its run, so this can be asked whenever it is needed. */
const hasJournal = 'EXISTS (SELECT 1 FROM journal j WHERE j.run_seq = r.seq) AS has_journal'

export const acceptedColumns = `${runColumns}, r.request, r.input`
export const outcomeColumns = `${endColumns}, o.steps`
export const fullColumns = `${acceptedColumns}, ${outcomeColumns}`
export const summaryColumns = `${runColumns}, ${endColumns}, ${hasJournal}`

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

export interface SummaryRow extends RunRow, EndRow {
  readonly has_journal: number
}

export interface AcceptedRow extends RunRow {
  readonly request: string | null
  readonly input: Uint8Array
}

export interface OutcomeRow extends EndRow {
  readonly steps: string
}

export interface FullRow extends AcceptedRow, OutcomeRow {}

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

export function acceptedRun(row: AcceptedRow): AcceptedRun {
  return { ...runFacts(row), input: row.input, request: row.request }
}

export function storedRun(row: FullRow, journal: readonly string[]): StoredRun {
  return { ...acceptedRun(row), outcome: storedOutcome(row), journal }
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
  return {
    ...runFacts(row),
    outcome:
      row.no === null
        ? null
        : {
            no: row.no,
            status: row.status,
            startedAt: row.started_at,
            finishedAt: row.finished_at,
            error: row.error
          },
    hasJournal: row.has_journal === 1
  }
}
