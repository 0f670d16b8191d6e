import type { RunsOfFlow } from '../../library/flow-standing.ts'
import { rows } from '../../library/library-database.ts'
import type { Query } from '../database/database.ts'
import { flowOf, jobs, queueOf, sqlQueueOf, sqlSeqOf, TIER } from './job-rows.ts'
import { isPaused, mayBe } from './job-states.ts'

/**
 * True where the flow is paused, whose row is locked then. Where it is just being let go on, its row is waited for: no run may be
 * paused that nobody resumes.
 */
export const sqlLockIfPaused = (flowId: string) => `EXISTS (
  SELECT 1 FROM (SELECT 1 FROM millrace.flows WHERE id = ${flowId} AND paused_mode IS NOT NULL FOR SHARE) paused)`

/**
 * Runs of the flow that are queued and have not begun, but for tests: nobody takes them up from here on. Not what a run of the same
 * flow waits for: it is a part of one that has begun.
 */
const pauseText = `
  UPDATE ${jobs} j SET blocked = true
  WHERE j.name = ? AND j.priority = 0 AND ${mayBe('pause', 'j')}
    AND NOT EXISTS (SELECT 1 FROM millrace.journal e WHERE e.run_seq = ${sqlSeqOf('j.id')})
    AND NOT (coalesce(j.group_tier = '${TIER.counted}', false) AND EXISTS (
      SELECT 1 FROM millrace.children c
      WHERE c.seq = ${sqlSeqOf('j.id')} AND ${sqlQueueOf('c.parent_flow_id')} = j.name
    ))`

const resumeText = `UPDATE ${jobs} j SET blocked = false WHERE j.name = ? AND ${mayBe('resume', 'j')}`

export const jobsOfFlow: RunsOfFlow = {
  *pause(flowId) {
    yield* rows(pauseText, queueOf(flowId))
  },
  *resume(flowId) {
    yield* rows(resumeText, queueOf(flowId))
  }
}

export async function countPaused(query: Query, flowIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await query<{ name: string; runs: number }>(
    `SELECT j.name, count(*) AS runs FROM ${jobs} j
     WHERE j.name = ANY($1::text[]) AND ${isPaused('j')} GROUP BY j.name`,
    [flowIds.map(queueOf)]
  )
  return new Map(rows.map(({ name, runs }) => [flowOf(name), runs]))
}
