import type { PageLimit, QueuedPage } from '../../store.ts'
import { NEVER } from '../../waits.ts'
import type { Database, Query } from '../database/database.ts'
import {
  backlogJobs,
  byRun,
  changeFoundJobs,
  flowOfJob,
  foundJob,
  fromAllJobs,
  fromJobsOf,
  seqOfJob
} from '../queue/job-rows.ts'
import { isBacklog, isParked, mayBe, sqlDueAt, sqlUnpark } from '../queue/job-states.ts'
import { type FullRow, fullColumns, storedRun } from './run-rows.ts'

const dueAt = sqlDueAt('j')

/** Looks at all of them: to be asked now and then, not with every request. */
export async function backlog(query: Query): Promise<Map<string, number>> {
  const rows = await query<{ flow_id: string; runs: number }>(
    `SELECT ${flowOfJob()} AS flow_id, count(*) AS runs FROM ${backlogJobs} j GROUP BY 1`
  )
  return new Map(rows.map((row) => [row.flow_id, row.runs]))
}

/** Of `found` (seq, place), in the order of their places, those before which there is less than the page may hold. */
const withinPage = (bytes: string) => `
  measured AS (
    SELECT f.*, count(*) OVER () AS found, sum(s.own) OVER (ORDER BY f.place, f.seq) AS size, s.own
    FROM found f CROSS JOIN LATERAL (
      SELECT octet_length(r.input) + coalesce(
        (SELECT sum(octet_length(e.entry)) FROM millrace.journal e WHERE e.run_seq = r.seq), 0
      ) AS own
      FROM millrace.runs r WHERE r.seq = f.seq
    ) s
  ),
  page AS MATERIALIZED (SELECT * FROM measured WHERE size <= ${bytes} OR size = own)`

type PageRow = FullRow & { readonly found: number }

function pageOf(rows: readonly PageRow[], { runs }: PageLimit): QueuedPage {
  const found = rows[0]?.found ?? 0
  return { runs: rows.map(storedRun), isLast: found < runs && rows.length === found }
}

/** The way of a process that has the store to itself; processes that share it claim runs instead. */
export async function queuedRuns(
  query: Query,
  flowId: string,
  after: number,
  limit: PageLimit
): Promise<QueuedPage> {
  const rows = await query<PageRow>(
    `WITH found AS (
       SELECT ${seqOfJob()} AS seq, ${seqOfJob()} AS place
       FROM ${fromJobsOf('$1::text')} AND ${isBacklog('j')} AND ${seqOfJob()} > $2
       ORDER BY ${byRun} LIMIT $3
     ), ${withinPage('$4')}
     SELECT ${fullColumns}, p.found FROM page p
     JOIN millrace.runs r ON r.seq = p.seq
     LEFT JOIN millrace.outcomes o ON o.seq = r.seq
     ORDER BY r.seq`,
    [flowId, after, limit.runs, limit.bytes]
  )
  return pageOf(rows, limit)
}

export async function nextDue(query: Query, after: number): Promise<number | null> {
  const [row] = await query<{ at: number | null }>(
    `SELECT min(${dueAt}) AS at FROM ${fromAllJobs} AND ${isParked('j')} AND ${dueAt} > $1 AND ${dueAt} < ${NEVER}`,
    [after]
  )
  return row!.at
}

export async function flowsDue(query: Query, now: number): Promise<string[]> {
  const rows = await query<{ flow_id: string }>(
    `SELECT DISTINCT ${flowOfJob()} AS flow_id FROM ${fromAllJobs} AND ${isParked('j')} AND ${dueAt} <= $1`,
    [now]
  )
  return rows.map((row) => row.flow_id)
}

/** A crash after it leaves the runs queued, not parked: none is forgotten. */
export async function takeDue(
  db: Database,
  flowId: string,
  now: number,
  limit: PageLimit
): Promise<QueuedPage> {
  const rows = await db.query<PageRow>(
    `WITH found AS MATERIALIZED (
       SELECT ${foundJob}, ${seqOfJob()} AS seq, ${dueAt} AS place
       FROM ${fromJobsOf('$1::text')} AND ${mayBe('takeDue', 'j')} AND ${dueAt} <= $2
       ORDER BY ${dueAt}, ${byRun} LIMIT $3 FOR UPDATE SKIP LOCKED
     ), ${withinPage('$4')},
     taken AS (${changeFoundJobs(sqlUnpark, 'page', 'f.*')})
     SELECT ${fullColumns}, t.found FROM taken t
     JOIN millrace.runs r ON r.seq = t.seq
     LEFT JOIN millrace.outcomes o ON o.seq = r.seq
     ORDER BY t.place, r.seq`,
    [flowId, now, limit.runs, limit.bytes]
  )
  return pageOf(rows, limit)
}
