import type { ClaimedRun, ClaimWish } from '../../shared-store.ts'
import type { Database, Query } from '../database/database.ts'
import { isToCancel, jobs, queueOf, sqlClaim, sqlSeqOf } from '../queue/job-rows.ts'
import { isClaimable, isParked, mayBe } from '../queue/job-states.ts'
import { type FullRow, fullColumns, storedRun } from './run-rows.ts'

/** Of a flow with a limit no more than it leaves. */
const most = `CASE WHEN w.flow_limit IS NULL THEN w.most ELSE greatest(0, least(w.most, w.flow_limit - (
  SELECT count(*) FROM ${jobs} a WHERE a.name = w.name AND a.state = 'active' AND a.group_id IS NOT NULL
))) END`

/**
 * What pg-boss's fetch does, of several queues in one statement: a process that stands still in the middle of it has taken
 * them, or has not, and locks nothing either way. Taking a job up that was taken before is a further attempt; what was
 * parked is so no longer, also when it is given back.
 */
const take = {
  name: 'take-jobs',
  text: `
    WITH wish AS MATERIALIZED (
      SELECT * FROM unnest($1::text[], $2::integer[], $3::integer[]) AS w (name, most, flow_limit)
    ),
    next AS MATERIALIZED (
      SELECT n.* FROM wish w CROSS JOIN LATERAL (
        SELECT j.name, j.id, ${isParked('j')} AS was_parked FROM ${jobs} j
        WHERE j.name = w.name AND ${isClaimable('j')}
        ORDER BY j.priority DESC, j.created_on LIMIT ${most}
        FOR UPDATE SKIP LOCKED
      ) n
    )
    UPDATE ${jobs} j SET state = 'active', started_on = now(), heartbeat_on = now(), data = NULL,
      output = jsonb_build_object('taking', $4::text),
      retry_count = CASE WHEN j.started_on IS NULL THEN j.retry_count ELSE j.retry_count + 1 END
    FROM next n WHERE j.name = n.name AND j.id = n.id
    RETURNING j.name, j.id, ${sqlClaim('j')} AS claim, n.was_parked`
}

/** Flows with a limit are counted and taken from by one process at a time, or two could pass the count together. */
const lockFlows = {
  name: 'lock-flows',
  text: `SELECT w.name FROM unnest($1::text[]) AS w (name) WHERE pg_try_advisory_xact_lock(hashtextextended(w.name, 0))`
}

/** After they were taken: who reads slowly, or stands still, keeps nobody from anything. */
const load = {
  name: 'load-claimed',
  text: `
    WITH taken AS MATERIALIZED (
      SELECT * FROM unnest($1::text[], $2::uuid[], $3::text[], $4::boolean[]) AS t (name, id, claim, was_parked)
    )
    SELECT ${fullColumns}, taken.claim, taken.was_parked, job.retry_count AS deaths, ${isToCancel('job')} AS is_to_cancel,
      floor(extract(epoch FROM job.started_on) * 1000)::bigint AS taken_at
    FROM taken
    JOIN ${jobs} job ON job.name = taken.name AND job.id = taken.id
      AND job.state = 'active' AND ${sqlClaim('job')} = taken.claim
    JOIN millrace.runs r ON r.seq = ${sqlSeqOf('taken.id')}
    LEFT JOIN millrace.outcomes o ON o.seq = r.seq
    ORDER BY r.seq`
}

interface Taken {
  readonly name: string
  readonly id: string
  readonly claim: string
  readonly was_parked: boolean
}

interface LoadedRow extends FullRow, Pick<Taken, 'claim' | 'was_parked'> {
  readonly deaths: number
  readonly is_to_cancel: boolean
  readonly taken_at: number
}

interface Taking {
  /** No other one is called so. */
  readonly id: string
  readonly wishes: readonly ClaimWish[]
}

/**
 * Takes runs up. A taking whose answer was lost may have happened: what it took nobody knows of, and all would wait until its
 * holder is held to be dead. So that is let go of before more is taken.
 */
export function createClaims(
  db: Database,
  processId: string
): (wishes: readonly ClaimWish[]) => Promise<ClaimedRun[]> {
  let takings = 0
  const unanswered = new Set<Taking>()

  async function letGoOfUnanswered(): Promise<void> {
    for (const taking of unanswered) {
      await db.writeTold(letGoOfTaking, [taking.wishes.map(({ flowId }) => queueOf(flowId)), taking.id])
      unanswered.delete(taking)
    }
  }

  return async (wishes) => {
    await letGoOfUnanswered()
    const taking: Taking = { id: `${processId}/${++takings}`, wishes }
    let taken: Taken[]
    try {
      taken = await takeAll(db, taking)
    } catch (error) {
      unanswered.add(taking)
      throw error
    }
    return taken.length === 0 ? [] : (await loadOrLetGo(db, taken)).map(claimedRun)
  }
}

function takeAll(db: Database, taking: Taking): Promise<Taken[]> {
  return taking.wishes.some(({ limit }) => limit !== null)
    ? db.transaction((query) => takeLimited(query, taking), 'writers')
    : takeJobs(db.writeTold, taking)
}

/** Counted by a statement of its own: what was taken by whoever had the lock before must be seen. */
async function takeLimited(query: Query, { id, wishes }: Taking): Promise<Taken[]> {
  const limited = wishes.filter(({ limit }) => limit !== null).map(({ flowId }) => queueOf(flowId))
  const locked = await query<{ name: string }>(lockFlows, [limited])
  const mine = new Set(locked.map(({ name }) => name))
  const left = wishes.filter(({ flowId, limit }) => limit === null || mine.has(queueOf(flowId)))
  return takeJobs(query, { id, wishes: left })
}

async function takeJobs(query: Query, { id, wishes }: Taking): Promise<Taken[]> {
  if (wishes.length === 0) return []
  return query<Taken>(take, [
    wishes.map(({ flowId }) => queueOf(flowId)),
    wishes.map((wish) => wish.most),
    wishes.map(({ limit }) => limit),
    id
  ])
}

/** Without a time at which it was taken, it does not count as an attempt. */
const letGoText = `UPDATE ${jobs} j SET state = 'retry', heartbeat_on = NULL, started_on = NULL`

const letGoOfTaking = {
  name: 'let-taking-go',
  text: `
    ${letGoText}
    WHERE j.name = ANY ($1::text[]) AND ${mayBe('giveBack', 'j')} AND j.group_id IS NOT NULL AND j.output ->> 'taking' = $2`
}

const letGo = {
  name: 'let-taken-go',
  text: `
    ${letGoText}
    FROM unnest($1::text[], $2::uuid[], $3::text[]) AS t (name, id, claim)
    WHERE j.name = t.name AND j.id = t.id AND ${mayBe('giveBack', 'j')} AND ${sqlClaim('j')} = t.claim`
}

/** What cannot be read is nobody's again at once, where the database hears that; else it is held to be of one who died. */
async function loadOrLetGo(db: Database, taken: readonly Taken[]): Promise<LoadedRow[]> {
  const keys = [taken.map(({ name }) => name), taken.map(({ id }) => id), taken.map(({ claim }) => claim)]
  try {
    return await db.writeTold<LoadedRow>(load, [...keys, taken.map((each) => each.was_parked)])
  } catch (error) {
    await db.writeTold(letGo, keys).catch(() => {})
    throw error
  }
}

function claimedRun(row: LoadedRow): ClaimedRun {
  const { claim, deaths, was_parked: wasParked, taken_at: takenAt } = row
  const isTied = wasParked || row.parent !== null
  const isToCancel = row.is_to_cancel && { isToCancel: true as const }
  return { ...storedRun(row), claim, deaths, wasParked, takenAt, ...(isTied && { isTied }), ...isToCancel }
}
