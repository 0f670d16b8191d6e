import type { Database, Query } from '../database/database.ts'
import { allNews, type News, NO_NEWS } from '../database/news.ts'
import { TIER, type Tier, tierOf } from '../queue/job-rows.ts'
import { isInLine } from '../queue/job-states.ts'
import { countEnded } from './children/child-counts.ts'
import { releaseChildren, releaseDetached } from './children/release-children.ts'
import { closeJobs, type EndRow, endText, type Numbered } from './end-statement.ts'
import { stillAsRead } from './ends-as-read.ts'

/**
 * Waits are locked before jobs, by everybody, and in the order of their keys: those of the runs themselves, and those that count
 * them as children. So two batches with children of the same parents come one after the other.
 */
const lockText = `
  WITH keys AS MATERIALIZED (
    SELECT w.run_seq, w.node FROM millrace.waits w WHERE w.run_seq = ANY ($1::bigint[])
    UNION
    SELECT c.parent_seq, c.node FROM millrace.children c WHERE c.seq = ANY ($1::bigint[]) AND c.is_awaited = 1
  )
  SELECT 1 FROM keys JOIN millrace.waits w ON w.run_seq = keys.run_seq AND w.node = keys.node
  ORDER BY w.run_seq, w.node FOR UPDATE OF w`

const end = {
  name: 'end-tied',
  text: endText({
    closed: closeJobs('', `, ${tierOf()} AS tier, ${isInLine('j')} AS was_in_line`),
    hasUsage: true,
    isChild: `CASE WHEN tier <> '${TIER.tied}' THEN 1 END`,
    told: ', tier, was_in_line'
  })
}

const closeText = `
  UPDATE millrace.waits w SET state = 'over', ended_at = coalesce(w.ended_at, e.finished_at), children_in_line = 0
  FROM unnest($1::bigint[], $2::bigint[]) AS e (seq, finished_at)
  WHERE w.run_seq = e.seq AND w.state = 'open'
  RETURNING w.run_seq, w.node, e.finished_at AS at, coalesce(w.children_left, 0) > 0 AS has_children`

interface EndedRun extends Numbered {
  readonly tier: Tier | null
  readonly was_in_line: boolean
}

interface ClosedWait {
  readonly run_seq: number
  readonly node: string
  readonly at: number
  readonly has_children: boolean
}

/** Ends runs that have waits, children or a parent, with all that follows from it. */
export function endTiedRuns(
  db: Pick<Database, 'writeTransaction'>,
  rows: readonly EndRow[]
): Promise<{ numbered: readonly Numbered[]; news: News }> {
  return db.writeTransaction(async (query) => {
    await query({ name: 'end-lock', text: lockText }, [rows.map(({ seq }) => seq)])
    const numbered = await query<EndedRun>(end, [JSON.stringify(await stillAsRead(query, rows))])
    const byPlace = new Map(rows.map((row) => [row.place, row]))
    const ended = numbered.map((run) => ({ ...run, ...byPlace.get(run.place)! }))
    const ofChildren = await countEnded(
      query,
      ended.filter(({ tier }) => tier === TIER.counted)
    )
    return { numbered, news: allNews(ofChildren, await closeWaits(query, ended)) }
  })
}

async function closeWaits(query: Query, ended: readonly (EndRow & Pick<EndedRun, 'tier'>)[]): Promise<News> {
  if (ended.length === 0) return NO_NEWS
  const closed = await query<ClosedWait>({ name: 'end-waits', text: closeText }, [
    ended.map(({ seq }) => seq),
    ended.map(({ finished_at }) => finished_at)
  ])
  const dropped = closed.filter(({ has_children }) => has_children)
  // Those that it did not wait for go on without it, unless it was cancelled.
  const cancelled = ended.filter(({ status, tier }) => status === 'cancelled' && tier !== null)
  return allNews(await releaseChildren(query, dropped), await releaseDetached(query, cancelled))
}
