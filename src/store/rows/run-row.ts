import type { EndStatus, RunSummary, StoredOutcome } from '../store.ts'

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
