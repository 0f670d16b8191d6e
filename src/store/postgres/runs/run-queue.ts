import type { RunQueue } from '../../shared-store.ts'
import type { EndStatus, RunRef } from '../../store.ts'
import type { Database } from '../database/database.ts'
import {
  AHEAD_SECONDS,
  flowOf,
  HEARTBEAT_SECONDS,
  jobs,
  sqlFlowOf,
  sqlHeldBy,
  sqlIsSilent,
  sqlJobOf,
  sqlMayWrite,
  sqlQueueOf
} from '../queue/job-rows.ts'
import { createClaims } from './claim-runs.ts'

/** Steps from one queue to the next in the index, so that its cost is by flows and not by runs that wait. */
const withWork = {
  name: 'flows-with-work',
  text: `
    WITH RECURSIVE queue (name) AS (
      (SELECT name FROM ${jobs} WHERE name > 'flow/' AND state < 'active' AND NOT blocked ORDER BY name LIMIT 1)
      UNION ALL
      SELECT (
        SELECT j.name FROM ${jobs} j
        WHERE j.name > queue.name AND j.state < 'active' AND NOT j.blocked ORDER BY j.name LIMIT 1
      ) FROM queue WHERE queue.name IS NOT NULL
    )
    SELECT name FROM queue WHERE name LIKE 'flow/%' AND EXISTS (
      SELECT 1 FROM ${jobs} j
      WHERE j.name = queue.name AND j.state < 'active' AND NOT j.blocked AND j.start_after <= now()
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
      SELECT 1 FROM ${jobs} j WHERE j.name = queue.name AND j.state < 'active' AND NOT j.blocked
        AND j.start_after <= now() - ${WAITS_SECONDS} * interval '1s'
    ) LIMIT 1`
}

const given = `given AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS g (seq bigint, flow_id text, claim text) ORDER BY flow_id, seq
)`
const isHeld = `j.name = ${sqlQueueOf('g.flow_id')} AND j.id = ${sqlJobOf('g.seq')} AND ${sqlMayWrite('j', 'g.claim')}`

/**
 * pg-boss's own way writes every job, and does not tell which claims are lost. Locks are taken in the order of the jobs'
 * keys, as by whoever ends runs.
 */
const beat = {
  name: 'heartbeat',
  text: `
    WITH ${given},
    beating AS (
      INSERT INTO millrace.holders (process_id, beat_at) VALUES ($2, now())
      ON CONFLICT (process_id) DO UPDATE SET beat_at = now()
    ),
    held AS MATERIALIZED (
      SELECT g.*, j.heartbeat_on FROM given g JOIN ${jobs} j ON ${isHeld} ORDER BY g.flow_id, g.seq
    ),
    due AS MATERIALIZED (
      SELECT * FROM held WHERE heartbeat_on < now() + ${AHEAD_SECONDS.renewed} * interval '1s'
    ),
    renewed AS (
      UPDATE ${jobs} j SET
        heartbeat_on = now() + ${AHEAD_SECONDS.set} * interval '1s', output = ${sqlHeldBy('$2')}
      FROM due g WHERE ${isHeld}
    )
    SELECT seq FROM held`
}

/** Without a time at which it was taken, pg-boss does not count it as an attempt: only the dead are counted. */
const giveBack = {
  name: 'give-back',
  text: `
    WITH ${given}
    UPDATE ${jobs} j SET state = 'retry', heartbeat_on = NULL, started_on = NULL FROM given g WHERE ${isHeld}`
}

/** What pg-boss's upkeep does once a minute, done more often and by the index of running jobs. */
const retryOrphaned = `
  WITH dead AS (
    SELECT j.name, j.id FROM ${jobs} j
    WHERE j.state = 'active' AND j.group_id IS NOT NULL
      AND ${sqlIsSilent('j', HEARTBEAT_SECONDS)}
    FOR UPDATE SKIP LOCKED
  )
  UPDATE ${jobs} j SET state = 'retry', heartbeat_on = NULL FROM dead d
  WHERE j.name = d.name AND j.id = d.id
  RETURNING ${sqlFlowOf('j.name')} AS flow_id`

export function createRunQueue(db: Database, processId: string): RunQueue {
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
      if (runs.length === 0) return []
      const rows = await db.writeTold<{ seq: number }>(beat, [claims(runs), processId])
      const held = new Set(rows.map(({ seq }) => seq))
      return runs.map(({ seq }) => seq).filter((seq) => !held.has(seq))
    },
    async giveBack(runs) {
      if (runs.length > 0) await db.writeTold(giveBack, [claims(runs)])
    },
    async reclaimOrphaned() {
      const rows = await db.query<{ flow_id: string }>(retryOrphaned)
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
