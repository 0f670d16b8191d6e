import type { ClaimToKeep, RunQueue } from '../../shared-store.ts'
import type { EndStatus, RunRef } from '../../store.ts'
import type { Database } from '../database/database.ts'
import { storableText } from '../database/storable-text.ts'
import {
  isAnyStuck,
  isToBeRenewed,
  keptColumns,
  queuesWithWork,
  reclaimJobs,
  sqlRenew
} from '../queue/claim-jobs.ts'
import { changeJobs, flowOf, isToCancel, jobOf, sqlMayWrite, sqlWantCancel } from '../queue/job-rows.ts'
import { mayBe, sqlGiveBack } from '../queue/job-states.ts'
import { orphaningNodes, sqlIsOrphanedBy } from './children/orphaned.ts'
import { createClaims } from './claim-runs.ts'

const withWork = { name: 'flows-with-work', text: queuesWithWork }

/** So long a run waits before its flow may be stuck: others may just be about to take it up. */
const WAITS_SECONDS = 2

const stuck = { name: 'stuck-flows', text: isAnyStuck(WAITS_SECONDS) }

const given = `given AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS g (seq bigint, flow_id text, claim text) ORDER BY flow_id, seq
)`
const ofGiven = { seq: 'g.seq', flowId: 'g.flow_id' } as const
const isClaimedBy = sqlMayWrite('j', 'g.claim')

const orphaning = orphaningNodes('json_to_recordset($3::json) AS p (family integer, seq bigint, node text)')

/**
 * pg-boss's own way writes every job, and does not tell which claims are lost. Locks are taken in the order of the jobs'
 * keys, as by whoever ends runs. Told are only those that do not simply go on.
 */
const beat = {
  name: 'heartbeat',
  text: `
    WITH given AS MATERIALIZED (
      SELECT * FROM json_to_recordset($1::json) AS g (place integer, seq bigint, flow_id text, claim text, family integer)
      ORDER BY flow_id, seq
    ),
    beating AS (
      INSERT INTO millrace.holders (process_id, beat_at) VALUES ($2, now())
      ON CONFLICT (process_id) DO UPDATE SET beat_at = now()
    ),
    ${orphaning},
    claims AS MATERIALIZED (
      SELECT g.*, ${keptColumns}, ${isToCancel('j')} AS is_to_cancel
      FROM given g LEFT JOIN ${jobOf('g.seq', 'g.flow_id')} AND ${isClaimedBy} ORDER BY g.flow_id, g.seq
    ),
    due AS MATERIALIZED (
      SELECT * FROM claims WHERE ${isToBeRenewed}
    ),
    renewed AS (${changeJobs({ set: sqlRenew('$2'), from: 'due g', ...ofGiven, where: isClaimedBy })})
    SELECT place, is_claimed AS "isClaimed" FROM claims
    WHERE NOT is_claimed OR is_to_cancel OR ${sqlIsOrphanedBy('claims')}`
}

const wantCancel = {
  name: 'want-cancel',
  text: `WITH ${given} ${changeJobs({ set: sqlWantCancel, from: 'given g', ...ofGiven, where: isClaimedBy, returning: '1' })}`
}

const giveBack = {
  name: 'give-back',
  text: `WITH ${given} ${changeJobs({
    set: sqlGiveBack,
    from: 'given g',
    ...ofGiven,
    where: `${isClaimedBy} AND ${mayBe('giveBack', 'j')}`
  })}`
}

export async function giveRunsBack({ write }: Database, runs: readonly RunRef[]): Promise<void> {
  await write(giveBack, [claims(runs)])
}

/** In milliseconds. So long a statement may be on its way, and what it is judged by holds. */
const ON_ITS_WAY_MS = 3_000

const retryAbandoned = reclaimJobs(
  `extract(epoch FROM now()) * 1000 < $1::double precision + ${ON_ITS_WAY_MS}`
)

export interface RunQueueParts {
  readonly db: Database
  readonly processId: string
  /** After all that was written of the run before: under the claim that ends with it, nothing comes later. */
  readonly giveBackInTurn: (run: RunRef) => Promise<unknown>
}

export function createRunQueue({ db, processId, giveBackInTurn }: RunQueueParts): RunQueue {
  return {
    async flowsWithWork() {
      return (await db.query<{ name: string }>(withWork)).map(({ name }) => flowOf(name))
    },
    async isStuck() {
      const queues = (await db.query<{ name: string }>(withWork)).map(({ name }) => name)
      return (await db.query(stuck, [queues])).length > 0
    },
    claim: createClaims(db, processId),
    async heartbeat(runs) {
      if (runs.length === 0) return { lost: [], cancelled: [] }
      const { given, parents } = claimsAndParents(runs)
      const values = [JSON.stringify(given), processId, JSON.stringify(parents)]
      const told = await db.writeTold<{ place: number; isClaimed: boolean }>(beat, values)
      const which = (isClaimed: boolean) =>
        told.filter((row) => row.isClaimed === isClaimed).map(({ place }) => runs[place]!)
      return { lost: which(false), cancelled: which(true) }
    },
    async wantCancel(run) {
      return (await db.writeTold(wantCancel, [claims([run])])).length > 0
    },
    async giveBack(runs) {
      await Promise.all(runs.map(giveBackInTurn))
    },
    async reclaimAbandoned(inTouchAt) {
      const rows = await db.query<{ flow_id: string }>(retryAbandoned, [inTouchAt])
      return [...new Set(rows.map(({ flow_id }) => flow_id))]
    },
    async endsOf(runIds) {
      const rows = await db.query<{ id: string; status: EndStatus }>(
        `SELECT r.id, o.status FROM millrace.runs r JOIN millrace.outcomes o ON o.seq = r.seq
         WHERE r.id = ANY ($1::text[])`,
        [runIds]
      )
      return new Map(rows.map(({ id, status }) => [id, status]))
    }
  }
}

function claims(runs: readonly RunRef[]): string {
  return JSON.stringify(runs.map(({ seq, flowId, claim }) => ({ seq, flow_id: flowId, claim: claim ?? '' })))
}

/** The runs as the statement is given them, and the parents of those that others started, each once. */
function claimsAndParents(runs: readonly ClaimToKeep[]) {
  const parents = new Map<string, { family: number; seq: number; node: string }>()
  const familyOf = ({ parent }: ClaimToKeep): number | undefined => {
    if (parent === undefined) return undefined
    const { seq, node } = parent
    const key = `${seq} ${node}`
    const known = parents.get(key) ?? { family: parents.size, seq, node: storableText(node) }
    parents.set(key, known)
    return known.family
  }
  const given = runs.map((run, place) => {
    const { seq, flowId, claim } = run
    return { place, seq, flow_id: flowId, claim, family: familyOf(run) }
  })
  return { given, parents: [...parents.values()] }
}
