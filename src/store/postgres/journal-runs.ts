import type { RunRef } from '../store.ts'
import { guard, nextNumber } from './change-numbers.ts'
import type { Database } from './database.ts'
import { insertJobs, jobs, sqlJobOf, sqlMayWrite, sqlQueueOf } from './job-rows.ts'

export interface Entry {
  readonly run: RunRef
  readonly text: string
  /** When the run is to go on; undefined where it goes on now. */
  readonly dueAt?: number
}

/**
 * Checkpoints and parking. Touching the job is the comparison, and a heartbeat too: a run that reached a checkpoint
 * is alive. A parked run's job waits like a new one, not before its time; `data` says that it is parked. Taking it up
 * again is no further attempt for pg-boss, since it has not been started: only the dead are counted.
 */
const journalText = `
  WITH ${guard},
  given AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS g (
      place integer, seq bigint, flow_id text, claim text, entry text, due_at bigint
    ) ORDER BY flow_id, seq
  ),
  touched AS (
    UPDATE ${jobs} j SET
      heartbeat_on = CASE WHEN g.due_at IS NULL THEN greatest(j.heartbeat_on, now()) END,
      state = CASE WHEN g.due_at IS NULL THEN j.state ELSE 'retry' END,
      started_on = CASE WHEN g.due_at IS NULL THEN j.started_on END,
      start_after = coalesce(to_timestamp(g.due_at / 1000.0), j.start_after),
      data = CASE WHEN g.due_at IS NULL THEN j.data ELSE json_build_object('due_at', g.due_at)::jsonb END
    FROM given g
    WHERE j.name = ${sqlQueueOf('g.flow_id')} AND j.id = ${sqlJobOf('g.seq')} AND ${sqlMayWrite('j', 'g.claim')}
    RETURNING g.*
  ),
  numbered AS MATERIALIZED (
    SELECT ${nextNumber} AS no, t.* FROM guard, (SELECT * FROM touched ORDER BY place) t
  ),
  kept AS (
    INSERT INTO millrace.journal (no, run_seq, flow_id, entry) SELECT no, seq, flow_id, entry FROM numbered
  )
  SELECT place, no FROM numbered`

export async function journalRuns(db: Database, entries: readonly Entry[]): Promise<(number | null)[]> {
  const numbers: (number | null)[] = entries.map(() => null)
  const given = entries.map(({ run, text, dueAt = null }, place) => {
    const { seq, flowId, claim = null } = run
    return { place, seq, flow_id: flowId, claim, entry: text, due_at: dueAt }
  })
  const rows = await db.write<{ place: number; no: number }>({ name: 'journal', text: journalText }, [
    JSON.stringify(given)
  ])
  for (const { place, no } of rows) numbers[place] = no
  return numbers
}

/** Messages of the earlier attempt stay: they were printed. */
const reopenText = `
  WITH ${guard},
  taken_back AS (
    DELETE FROM millrace.outcomes WHERE seq = $1 AND flow_id = $2 AND status <> 'succeeded'
    RETURNING seq, flow_id
  ),
  cleared AS (DELETE FROM millrace.journal WHERE run_seq IN (SELECT seq FROM taken_back)),
  unblamed AS (DELETE FROM millrace.hung_steps WHERE run_seq IN (SELECT seq FROM taken_back)),
  queued AS (${insertJobs('taken_back')}),
  numbered AS MATERIALIZED (SELECT ${nextNumber} AS no, t.* FROM guard, taken_back t),
  kept AS (
    INSERT INTO millrace.journal (no, run_seq, flow_id, entry) SELECT no, seq, flow_id, $3 FROM numbered
  )
  SELECT no FROM numbered`

export async function reopenRun(db: Database, { run, text }: Entry): Promise<number | null> {
  const [row] = await db.write<{ no: number }>({ name: 'reopen', text: reopenText }, [
    run.seq,
    run.flowId,
    text
  ])
  return row?.no ?? null
}
