import { type Finding, fault, ok } from '../../finding.ts'
import type { Query } from '../database/database.ts'
import { fromAllJobs, seqOfJob } from '../queue/job-rows.ts'
import { isUntimed } from '../queue/job-states.ts'
import { sqlHasEnded, sqlIsStopped, sqlIsWaiting } from '../runs/waits/wait-rows.ts'

const seq = seqOfJob()

/** Runs that no time wakes have a wait that somebody or something can end, and children a sibling that gives them their turn. */
export async function examineWaits(query: Query): Promise<Finding> {
  const [row] = await query<{ waiting: number; forgotten: number; turnless: number }>(`
    SELECT
      (SELECT count(*) FROM ${fromAllJobs} AND ${sqlIsWaiting('j', seq)}) AS waiting,
      (SELECT count(*) FROM ${fromAllJobs} AND ${isUntimed('j')}
         AND NOT EXISTS (SELECT 1 FROM millrace.waits w
           WHERE w.run_seq = ${seq} AND w.state = 'open' AND NOT ${sqlHasEnded('w')})) AS forgotten,
      (SELECT coalesce(sum(w.children_in_line), 0)::bigint FROM millrace.waits w
       WHERE w.kind = 'children' AND w.state = 'open' AND w.children_in_line > 0
         AND w.children_left <= w.children_in_line AND NOT coalesce(${sqlIsStopped('w')}, false)) AS turnless`)
  const { waiting, forgotten, turnless } = row!
  if (forgotten === 0 && turnless === 0) {
    return ok('waits', waiting === 1 ? '1 run waits' : `${waiting.toLocaleString('en')} runs wait`)
  }
  return fault(
    'waits',
    `${forgotten} runs wait for nothing, ${turnless} for a turn that nobody gives them`,
    'Somebody has changed the tables. Restore a backup, or cancel these runs: POST /api/v1/runs/{id}/cancel.'
  )
}
