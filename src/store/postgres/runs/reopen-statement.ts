import { insertJobs } from '../queue/job-rows.ts'
import { guard, nextNumber } from './change-numbers.ts'

interface ReopenParts {
  /** Parts that come first. */
  readonly given?: string
  /** Deletes the outcomes of those that are opened again, and gives rows of (seq, flow_id, …). */
  readonly takenBack: string
  readonly jobs: Parameters<typeof insertJobs>[1]
  /** What their journals begin with, of rows of `takenBack`. */
  readonly entry: string
  /** The order in which they are numbered. */
  readonly order?: string
  /** True for waits `w` that are of the past. */
  readonly forgets?: string
  /** Further parts. */
  readonly more?: string
  /** Told with the number of each. */
  readonly told?: string
}

/** Of a wait `w`: a call that came before the run had got to it was taken, so it counts. */
export const sqlIsForgotten = (isCalledAnew: string) =>
  `coalesce(w.kind = 'call' AND w.id IS NOT NULL AND ${isCalledAnew}, false)`

/** Messages of the earlier attempt stay: they were printed. What woke its waits too: who sent it was told that it was taken. */
export const reopenText = (parts: ReopenParts) => `
  WITH ${guard},${parts.given ?? ''}
  taken_back AS (${parts.takenBack}),
  remembered AS (
    UPDATE millrace.waits w SET entry = j.entry FROM millrace.journal j
    WHERE w.run_seq IN (SELECT seq FROM taken_back) AND w.state = 'woken' AND j.no = w.entry_no
      AND NOT ${parts.forgets ?? 'false'}
  ),
  forgotten AS (
    DELETE FROM millrace.waits w WHERE w.run_seq IN (SELECT seq FROM taken_back) AND ${parts.forgets ?? 'false'}
  ),
  cleared AS (DELETE FROM millrace.journal WHERE run_seq IN (SELECT seq FROM taken_back)),
  unblamed AS (DELETE FROM millrace.hung_steps WHERE run_seq IN (SELECT seq FROM taken_back)),${parts.more ?? ''}
  queued AS (${insertJobs('taken_back', parts.jobs)}),
  numbered AS MATERIALIZED (
    SELECT ${nextNumber} AS no, t.* FROM guard, (SELECT * FROM taken_back ORDER BY ${parts.order ?? 'seq'}) t
  ),
  kept AS (
    INSERT INTO millrace.journal (no, run_seq, flow_id, entry) SELECT no, seq, flow_id, ${parts.entry} FROM numbered
  )
  SELECT ${parts.told ?? ''}no FROM numbered`
