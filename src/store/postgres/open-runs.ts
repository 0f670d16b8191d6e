import type { StoredRun } from '../store.ts'
import type { Database, Query } from './database.ts'
import { jobs, sqlFlowOf, sqlQueueOf, sqlSeqOf } from './job-rows.ts'
import { type FullRow, fullColumns, storedRun } from './run-rows.ts'

const isParked = "j.state < 'active' AND j.data IS NOT NULL"
const dueAt = "(j.data ->> 'due_at')::bigint"

/** Unfinished runs per flow. Looks at every job: to be asked now and then, not with every request. */
export async function backlog(query: Query): Promise<Map<string, number>> {
  const rows = await query<{ flow_id: string; runs: number }>(
    `SELECT ${sqlFlowOf('j.name')} AS flow_id, count(*) AS runs FROM ${jobs} j
     WHERE j.name LIKE 'flow/%' GROUP BY j.name`
  )
  return new Map(rows.map((row) => [row.flow_id, row.runs]))
}

/** The way of a process that has the store to itself; processes that share it claim runs instead. */
export async function waitingRuns(
  query: Query,
  flowId: string,
  after: number,
  limit: number
): Promise<StoredRun[]> {
  const rows = await query<FullRow>(
    `SELECT ${fullColumns}
     FROM (
       SELECT ${sqlSeqOf('j.id')} AS seq FROM ${jobs} j
       WHERE j.name = ${sqlQueueOf('$1::text')} AND NOT (${isParked}) AND ${sqlSeqOf('j.id')} > $2
       ORDER BY j.id LIMIT $3
     ) AS waiting
     JOIN millrace.runs r ON r.seq = waiting.seq
     LEFT JOIN millrace.outcomes o ON o.seq = r.seq
     ORDER BY r.seq`,
    [flowId, after, limit]
  )
  return rows.map(storedRun)
}

export async function nextDue(query: Query): Promise<number | null> {
  const [row] = await query<{ at: number | null }>(
    `SELECT min(${dueAt}) AS at FROM ${jobs} j WHERE j.name LIKE 'flow/%' AND ${isParked}`
  )
  return row!.at
}

/** A crash after it leaves the runs waiting, not parked: none is forgotten. */
export async function takeDue(db: Database, now: number, limit: number): Promise<StoredRun[]> {
  const rows = await db.query<FullRow & { due_at: number }>(
    `WITH due AS MATERIALIZED (
       SELECT j.name, j.id, ${dueAt} AS due_at FROM ${jobs} j
       WHERE j.name LIKE 'flow/%' AND ${isParked} AND ${dueAt} <= $1
       ORDER BY due_at, j.id LIMIT $2 FOR UPDATE SKIP LOCKED
     ),
     taken AS (
       UPDATE ${jobs} j SET data = NULL, start_after = now() FROM due d
       WHERE j.name = d.name AND j.id = d.id
       RETURNING ${sqlSeqOf('j.id')} AS seq, d.due_at
     )
     SELECT ${fullColumns}, t.due_at FROM taken t
     JOIN millrace.runs r ON r.seq = t.seq
     LEFT JOIN millrace.outcomes o ON o.seq = r.seq
     ORDER BY t.due_at, r.seq`,
    [now, limit]
  )
  return rows.map(storedRun)
}
