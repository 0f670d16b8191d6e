import { acceptedFields } from '../../run-fields.ts'
import type { AcceptedRun, NewRun } from '../../store.ts'
import type { Database } from '../database/database.ts'
import { insertJobs } from '../queue/job-rows.ts'
import { guard, nextNumber } from './change-numbers.ts'
import { givenFlowIds, givenRuns, insertRuns, runLists } from './insert-runs.ts'

/**
 * Hot: once per batch of webhooks. Runs and their jobs in one statement, which is one transaction and one round trip.
 * The numbers come back as one text: the driver takes longer for a row than for all that is in it.
 */
const acceptText = (more: Parameters<typeof insertJobs>[1] = {}) => `
  given AS MATERIALIZED (
    SELECT ${nextNumber} AS seq, g.* FROM (SELECT ${givenRuns} FROM guard) AS g
  ),
  kept AS (${insertRuns('given')}),
  queued AS (${insertJobs('given', more)})
  SELECT string_agg(seq::text, ',') AS seqs`

const accept = { name: 'accept', text: `WITH ${guard}, ${acceptText()} FROM given` }

/**
 * For runs of flows that are paused as far as this process knows. Where such a flow is just being let go on, its row is
 * waited for: no run may be paused that nobody resumes.
 */
const acceptPaused = {
  name: 'accept-paused',
  text: `WITH ${guard},
    paused AS MATERIALIZED (
      SELECT id FROM millrace.flows WHERE id = ANY (${givenFlowIds}::text[]) AND paused_mode IS NOT NULL FOR SHARE
    ),
    ${acceptText({ isPaused: 'flow_id IN (SELECT id FROM paused)' })},
      (SELECT array_agg(id) FROM paused) AS paused FROM given`
}

export async function acceptRuns(
  db: Pick<Database, 'write'>,
  runs: readonly NewRun[]
): Promise<AcceptedRun[]> {
  const { seqs } = await acceptAll(db, accept, runs)
  return runs.map((run, index) => acceptedFields(Number(seqs[index]), run))
}

/** All of them are to be paused if their flows are. */
export async function acceptPausedRuns(
  db: Pick<Database, 'write'>,
  runs: readonly NewRun[]
): Promise<AcceptedRun[]> {
  const { seqs, paused } = await acceptAll(db, acceptPaused, runs)
  return runs.map((run, index) => {
    const accepted = acceptedFields(Number(seqs[index]), run)
    return paused?.includes(run.flowId) ? { ...accepted, isPaused: true } : accepted
  })
}

async function acceptAll(db: Pick<Database, 'write'>, statement: typeof accept, runs: readonly NewRun[]) {
  const [row] = await db.write<{ seqs: string; paused?: string[] | null }>(statement, runLists(runs))
  return { seqs: row!.seqs.split(','), paused: row!.paused }
}
