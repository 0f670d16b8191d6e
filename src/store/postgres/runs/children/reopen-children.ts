import type { Reopening } from '../../../children.ts'
import type { Query } from '../../database/database.ts'
import { insertJobs, TIER } from '../../queue/job-rows.ts'
import { inLineData } from '../../queue/job-states.ts'
import { guard, nextNumber } from '../change-numbers.ts'

/**
 * As a run that is opened again by itself, many in one statement. Each is in line, and its turn may come at once. It has begun before, so it
 * goes on also while its flow is paused.
 */
const reopenText = `
  WITH ${guard},
  given AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS g (place integer, seq bigint, flow_id text, entry text) ORDER BY flow_id, seq
  ),
  taken_back AS (
    DELETE FROM millrace.outcomes o USING given g
    WHERE o.seq = g.seq AND o.flow_id = g.flow_id AND o.status <> 'succeeded'
    RETURNING g.*
  ),
  remembered AS (
    UPDATE millrace.waits w SET entry = j.entry FROM millrace.journal j
    WHERE w.run_seq IN (SELECT seq FROM taken_back) AND w.state = 'woken' AND j.no = w.entry_no
  ),
  cleared AS (DELETE FROM millrace.journal WHERE run_seq IN (SELECT seq FROM taken_back)),
  unblamed AS (DELETE FROM millrace.hung_steps WHERE run_seq IN (SELECT seq FROM taken_back)),
  queued AS (${insertJobs('taken_back', {
    group_tier: `'${TIER.counted}'`,
    blocked: 'true',
    data: inLineData('true')
  })}),
  numbered AS MATERIALIZED (
    SELECT ${nextNumber} AS no, t.* FROM guard, (SELECT * FROM taken_back ORDER BY place) t
  ),
  kept AS (
    INSERT INTO millrace.journal (no, run_seq, flow_id, entry) SELECT no, seq, flow_id, entry FROM numbered
  )
  SELECT place, no FROM numbered`

/** The numbers of these changes; null for one that is open, or has succeeded. */
export async function reopenChildRuns(
  query: Query,
  children: readonly Reopening[]
): Promise<(number | null)[]> {
  const numbers: (number | null)[] = children.map(() => null)
  const given = children.map(({ run, entry }, place) => {
    return { place, seq: run.seq, flow_id: run.flowId, entry }
  })
  const rows = await query<{ place: number; no: number }>({ name: 'reopen-children', text: reopenText }, [
    JSON.stringify(given)
  ])
  for (const { place, no } of rows) numbers[place] = no
  return numbers
}
