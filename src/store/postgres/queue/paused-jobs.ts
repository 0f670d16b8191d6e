import type { RunsOfFlow } from '../../library/flow-standing.ts'
import { rows } from '../../library/library-database.ts'
import type { Query } from '../database/database.ts'
import {
  changeJobsOfQueue,
  flowOfJob,
  fromJobsOfQueues,
  isCounted,
  isOfFlow,
  isUrgent,
  queueOf,
  seqOfJob
} from './job-rows.ts'
import { isPaused, mayBe, sqlPause, sqlResume } from './job-states.ts'

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
const pauseText = changeJobsOfQueue(
  sqlPause,
  `NOT ${isUrgent('j')} AND ${mayBe('pause', 'j')}
    AND NOT EXISTS (SELECT 1 FROM millrace.journal e WHERE e.run_seq = ${seqOfJob()})
    AND NOT (coalesce(${isCounted()}, false) AND EXISTS (
      SELECT 1 FROM millrace.children c WHERE c.seq = ${seqOfJob()} AND ${isOfFlow('c.parent_flow_id')}
    ))`
)

const resumeText = changeJobsOfQueue(sqlResume, mayBe('resume', 'j'))

export const jobsOfFlow: RunsOfFlow = {
  *pause(flowId) {
    yield* rows(pauseText, queueOf(flowId))
  },
  *resume(flowId) {
    yield* rows(resumeText, queueOf(flowId))
  }
}

export async function countPaused(query: Query, flowIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await query<{ flow_id: string; runs: number }>(
    `SELECT ${flowOfJob()} AS flow_id, count(*) AS runs FROM ${fromJobsOfQueues('$1')} AND ${isPaused('j')} GROUP BY 1`,
    [flowIds.map(queueOf)]
  )
  return new Map(rows.map(({ flow_id, runs }) => [flow_id, runs]))
}
