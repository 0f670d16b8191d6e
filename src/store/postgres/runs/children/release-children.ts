import type { Query } from '../../database/database.ts'
import { type News, NO_NEWS } from '../../database/news.ts'
import { changeJobs, jobOf } from '../../queue/job-rows.ts'
import { isClaimed, mayBe, sqlMakeDue } from '../../queue/job-states.ts'

/**
 * Nobody waits for these children any more. Those that are parked, paused or in line become due, in the transaction that says so: whoever
 * takes one up finds it orphaned. Those that are under way are told of, so that they are cancelled soon.
 */
const releaseText = (whose: string) => `
  WITH released AS MATERIALIZED (
    SELECT c.seq, r.id, r.flow_id, d.at FROM ${whose} JOIN millrace.runs r ON r.seq = c.seq ORDER BY r.flow_id, c.seq
  ),
  due AS (
    ${changeJobs({
      set: sqlMakeDue('d.at'),
      from: 'released d',
      seq: 'd.seq',
      flowId: 'd.flow_id',
      where: mayBe('release', 'j'),
      returning: 'd.flow_id'
    })}
  )
  SELECT (SELECT array_agg(DISTINCT flow_id) FROM due) AS work, (
    SELECT array_agg(d.id) FROM released d
    JOIN ${jobOf('d.seq', 'd.flow_id')} AND ${isClaimed('j')}
  ) AS cancel`

const ofNodes = {
  name: 'release-children',
  text: releaseText(`unnest($1::bigint[], $2::text[], $3::bigint[]) AS d (parent_seq, node, at)
    JOIN millrace.children c ON c.parent_seq = d.parent_seq AND c.node = d.node AND c.is_awaited = 1`)
}

/** Also what runs below started that have ended already: nobody else would make that due. */
const detached = {
  name: 'release-detached',
  text: releaseText(`(
      WITH RECURSIVE below (seq, is_awaited, at) AS (
        SELECT c.seq, c.is_awaited, g.at FROM unnest($1::bigint[], $2::bigint[]) AS g (parent_seq, at)
        JOIN millrace.children c ON c.parent_seq = g.parent_seq
        UNION ALL
        SELECT c.seq, c.is_awaited, b.at FROM below b JOIN millrace.children c ON c.parent_seq = b.seq
      )
      SELECT seq, min(at) AS at FROM below WHERE is_awaited = 0 GROUP BY seq
    ) AS d JOIN millrace.children c ON c.seq = d.seq`)
}

interface ReleasedRow {
  readonly work: string[] | null
  readonly cancel: string[] | null
}

interface Dropped {
  readonly run_seq: number
  readonly node: string
  readonly at: number
}

export async function releaseChildren(query: Query, dropped: readonly Dropped[]): Promise<News> {
  if (dropped.length === 0) return NO_NEWS
  const [row] = await query<ReleasedRow>(ofNodes, [
    dropped.map(({ run_seq }) => run_seq),
    dropped.map(({ node }) => node),
    dropped.map(({ at }) => at)
  ])
  return newsOf(row!)
}

/** Of runs that were cancelled. */
export async function releaseDetached(
  query: Query,
  cancelled: readonly { readonly seq: number; readonly finished_at: number }[]
): Promise<News> {
  if (cancelled.length === 0) return NO_NEWS
  const [row] = await query<ReleasedRow>(detached, [
    cancelled.map(({ seq }) => seq),
    cancelled.map(({ finished_at }) => finished_at)
  ])
  return newsOf(row!)
}

function newsOf({ work, cancel }: ReleasedRow): News {
  return { work: work ?? [], cancel: cancel ?? [] }
}
