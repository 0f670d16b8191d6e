import type { RunTrigger } from '../../flows/component/component.ts'
import type { AcceptedRun, EndStatus, RunSummary, StoredOutcome } from '../store.ts'

/** A run as both stores have it. */
export interface RunRow {
  readonly seq: number
  readonly id: string
  readonly flow_id: string
  readonly flow_version: number
  readonly trigger: RunTrigger
  readonly session: string
  readonly created_at: number
  readonly replay_of: string | null
  /** 1 or null. */
  readonly is_test: number | null
}

/** All null when the run is open, which `no` tells. */
export interface EndRow {
  readonly no: number | null
  readonly status: EndStatus
  readonly started_at: number | null
  readonly finished_at: number
  readonly error: string | null
}

export interface OutcomeRow extends EndRow {
  readonly steps: string
}

export function runFacts(row: RunRow): Omit<AcceptedRun, 'input' | 'request'> {
  const facts = {
    seq: row.seq,
    id: row.id,
    flowId: row.flow_id,
    flowVersion: row.flow_version,
    trigger: row.trigger,
    session: row.session,
    createdAt: row.created_at,
    replayOf: row.replay_of
  }
  return row.is_test === 1 ? { ...facts, isTest: true } : facts
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

export function summaryOutcome(row: EndRow): RunSummary['outcome'] {
  const { no, status, started_at: startedAt, finished_at: finishedAt, error } = row
  return no === null ? null : { no, status, startedAt, finishedAt, error }
}
