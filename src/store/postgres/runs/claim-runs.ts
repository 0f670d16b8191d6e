import type { ClaimedRun, ClaimWish } from '../../shared-store.ts'
import type { Database, Query } from '../database/database.ts'
import { letTakenGo, letTakingGo, seqOfTaken, takeJobs, takenColumns, takenJob } from '../queue/claim-jobs.ts'
import { queueOf } from '../queue/job-rows.ts'
import { type FullRow, fullColumns, storedRun } from './run-rows.ts'

const take = { name: 'take-jobs', text: takeJobs }

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
    SELECT ${fullColumns}, taken.claim, taken.was_parked, ${takenColumns}
    FROM taken JOIN ${takenJob} JOIN millrace.runs r ON r.seq = ${seqOfTaken}
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
    : takeWished(db.writeTold, taking)
}

/** Counted by a statement of its own: what was taken by whoever had the lock before must be seen. */
async function takeLimited(query: Query, { id, wishes }: Taking): Promise<Taken[]> {
  const limited = wishes.filter(({ limit }) => limit !== null).map(({ flowId }) => queueOf(flowId))
  const locked = await query<{ name: string }>(lockFlows, [limited])
  const mine = new Set(locked.map(({ name }) => name))
  const left = wishes.filter(({ flowId, limit }) => limit === null || mine.has(queueOf(flowId)))
  return takeWished(query, { id, wishes: left })
}

async function takeWished(query: Query, { id, wishes }: Taking): Promise<Taken[]> {
  if (wishes.length === 0) return []
  return query<Taken>(take, [
    wishes.map(({ flowId }) => queueOf(flowId)),
    wishes.map((wish) => wish.most),
    wishes.map(({ limit }) => limit),
    id
  ])
}

const letGoOfTaking = { name: 'let-taking-go', text: letTakingGo }
const letGo = { name: 'let-taken-go', text: letTakenGo }

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
