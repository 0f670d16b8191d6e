import type { AcceptedRun, NewRun } from '../../store.ts'
import { bigintArray, byteaArray, integerArray, textArray } from '../database/binary-arrays.ts'
import type { Database } from '../database/database.ts'
import { storableText } from '../database/storable-text.ts'
import { insertJobs } from '../queue/job-rows.ts'
import { guard, nextNumber } from './change-numbers.ts'

/**
 * Hot: once per batch of webhooks. Runs and their jobs in one statement, which is one transaction and one round trip.
 * The arrays are taken apart where columns are selected and not in FROM, where each would be stored a second time,
 * and the numbers come back as one text: the driver takes longer for a row than for all that is in it.
 */
const acceptText = (more: Parameters<typeof insertJobs>[1] = {}) => `
  given AS MATERIALIZED (
    SELECT ${nextNumber} AS seq, g.* FROM (
      SELECT unnest($1::text[]) AS id, unnest($2::text[]) AS flow_id, unnest($3::integer[]) AS flow_version,
        unnest($4::text[]) AS trigger, unnest($5::text[]) AS session, unnest($6::bigint[]) AS created_at,
        unnest($7::text[]) AS replay_of, unnest($8::text[]) AS request, unnest($9::bytea[]) AS input
      FROM guard
    ) AS g
  ),
  kept AS (
    INSERT INTO millrace.runs
      (seq, id, flow_id, flow_version, trigger, session, created_at, replay_of, request, input)
    SELECT seq, id, flow_id, flow_version, trigger, session, created_at, replay_of, request, input
    FROM given
  ),
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
      SELECT id FROM millrace.flows WHERE id = ANY ($2::text[]) AND paused_mode IS NOT NULL FOR SHARE
    ),
    ${acceptText({ blocked: 'flow_id IN (SELECT id FROM paused)' })},
      (SELECT array_agg(id) FROM paused) AS paused FROM given`
}

export async function acceptRuns(
  db: Pick<Database, 'write'>,
  runs: readonly NewRun[]
): Promise<AcceptedRun[]> {
  const { seqs } = await insertRuns(db, accept, runs)
  return runs.map((run, index) => acceptedRun(run, seqs[index]!))
}

/** All of them are to be paused if their flows are. */
export async function acceptPausedRuns(
  db: Pick<Database, 'write'>,
  runs: readonly NewRun[]
): Promise<AcceptedRun[]> {
  const { seqs, paused } = await insertRuns(db, acceptPaused, runs)
  return runs.map((run, index) => {
    const accepted = acceptedRun(run, seqs[index]!)
    return paused?.includes(run.flowId) ? { ...accepted, isPaused: true } : accepted
  })
}

async function insertRuns(db: Pick<Database, 'write'>, statement: typeof accept, runs: readonly NewRun[]) {
  const [row] = await db.write<{ seqs: string; paused?: string[] | null }>(statement, [
    textArray(runs.map((run) => storableText(run.id))),
    textArray(runs.map((run) => run.flowId)),
    integerArray(runs.map((run) => run.flowVersion)),
    textArray(runs.map((run) => run.trigger)),
    textArray(runs.map((run) => storableText(run.session))),
    bigintArray(runs.map((run) => run.createdAt)),
    textArray(runs.map((run) => run.replayOf)),
    textArray(runs.map((run) => run.request)),
    byteaArray(runs.map((run) => run.input))
  ])
  return { seqs: row!.seqs.split(','), paused: row!.paused }
}

function acceptedRun(run: NewRun, seq: string): AcceptedRun {
  const { id, flowId, flowVersion, trigger, session, createdAt, input, request, replayOf } = run
  return {
    seq: Number(seq),
    id,
    flowId,
    flowVersion,
    trigger,
    session,
    createdAt,
    input,
    request,
    replayOf
  }
}
