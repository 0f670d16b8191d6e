import type { ClaimToKeep, RunQueue } from '../../shared-store.ts'
import type { EndStatus, RunRef } from '../../store.ts'
import type { Database } from '../database/database.ts'
import { storableText } from '../database/storable-text.ts'
import {
  AHEAD_SECONDS,
  flowOf,
  HEARTBEAT_SECONDS,
  isToCancel,
  jobs,
  sqlFlowOf,
  sqlHolder,
  sqlIsSilent,
  sqlJobOf,
  sqlMayWrite,
  sqlQueueOf,
  sqlWantCancel
} from '../queue/job-rows.ts'
import { isAhead, isClaimable, mayBe } from '../queue/job-states.ts'
import { orphaningNodes, sqlIsOrphanedBy } from './children/orphaned.ts'
import { createClaims } from './claim-runs.ts'

/** Steps from one queue to the next in the index, so that its cost is by flows and not by runs that wait. */
const withWork = {
  name: 'flows-with-work',
  text: `
    WITH RECURSIVE queue (name) AS (
      (SELECT name FROM ${jobs} j WHERE name > 'flow/' AND ${isAhead('j')} ORDER BY name LIMIT 1)
      UNION ALL
      SELECT (
        SELECT j.name FROM ${jobs} j
        WHERE j.name > queue.name AND ${isAhead('j')} ORDER BY j.name LIMIT 1
      ) FROM queue WHERE queue.name IS NOT NULL
    )
    SELECT name FROM queue WHERE name LIKE 'flow/%' AND EXISTS (
      SELECT 1 FROM ${jobs} j
      WHERE j.name = queue.name AND ${isClaimable('j')}
    )`
}

/** So long a run waits before its flow may be stuck: others may just be about to take it up. */
const WAITS_SECONDS = 2

const stuck = {
  name: 'stuck-flows',
  text: `
    SELECT 1 FROM unnest($1::text[]) AS queue (name)
    WHERE NOT EXISTS (
      SELECT 1 FROM ${jobs} a WHERE a.name = queue.name AND a.state = 'active' AND a.group_id IS NOT NULL
    ) AND EXISTS (
      SELECT 1 FROM ${jobs} j WHERE j.name = queue.name AND ${isAhead('j')}
        AND j.start_after <= now() - ${WAITS_SECONDS} * interval '1s'
    ) LIMIT 1`
}

const given = `given AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS g (seq bigint, flow_id text, claim text) ORDER BY flow_id, seq
)`
const isClaimedBy = `j.name = ${sqlQueueOf('g.flow_id')} AND j.id = ${sqlJobOf('g.seq')} AND ${sqlMayWrite('j', 'g.claim')}`

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
      SELECT g.*, j.id IS NOT NULL AS is_claimed, j.heartbeat_on, j.group_tier, ${isToCancel('j')} AS is_to_cancel
      FROM given g LEFT JOIN ${jobs} j ON ${isClaimedBy} ORDER BY g.flow_id, g.seq
    ),
    due AS MATERIALIZED (
      SELECT * FROM claims WHERE heartbeat_on < now() + ${AHEAD_SECONDS.renewed} * interval '1s'
    ),
    renewed AS (
      UPDATE ${jobs} j SET
        heartbeat_on = now() + ${AHEAD_SECONDS.set} * interval '1s', output = ${sqlHolder('$2')}
      FROM due g WHERE ${isClaimedBy}
    )
    SELECT place, is_claimed AS "isClaimed" FROM claims
    WHERE NOT is_claimed OR is_to_cancel OR ${sqlIsOrphanedBy('claims')}`
}

const wantCancel = {
  name: 'want-cancel',
  text: `WITH ${given} UPDATE ${jobs} j SET ${sqlWantCancel} FROM given g WHERE ${isClaimedBy} RETURNING 1`
}

/** Without a time at which it was taken, pg-boss does not count it as an attempt: only the dead are counted. */
const giveBack = {
  name: 'give-back',
  text: `
    WITH ${given}
    UPDATE ${jobs} j SET state = 'retry', heartbeat_on = NULL, started_on = NULL FROM given g
    WHERE ${isClaimedBy} AND ${mayBe('giveBack', 'j')}`
}

export async function giveRunsBack({ write }: Database, runs: readonly RunRef[]): Promise<void> {
  await write(giveBack, [claims(runs)])
}

/** In milliseconds. So long a statement may be on its way, and what it is judged by holds. */
const ON_ITS_WAY_MS = 3_000

/**
 * What pg-boss's upkeep does once a minute, done more often and by the index of running jobs. It looks at the time itself: one
 * that was on its way while the database stood still is done before anybody's heartbeat, and would take every run of the living.
 */
const retryAbandoned = `
  WITH dead AS (
    SELECT j.name, j.id FROM ${jobs} j
    WHERE ${mayBe('giveBack', 'j')} AND j.group_id IS NOT NULL
      AND ${sqlIsSilent('j', HEARTBEAT_SECONDS)}
      AND extract(epoch FROM now()) * 1000 < $1::double precision + ${ON_ITS_WAY_MS}
    FOR UPDATE SKIP LOCKED
  )
  UPDATE ${jobs} j SET state = 'retry', heartbeat_on = NULL FROM dead d
  WHERE j.name = d.name AND j.id = d.id
  RETURNING ${sqlFlowOf('j.name')} AS flow_id`

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
