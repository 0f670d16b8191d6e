import {
  type Child,
  type ChildCounts,
  type FlowVersion,
  NO_CHILDREN,
  type OpenRun
} from '../../../children.ts'
import { type ChildRow, storedChild } from '../../../rows/child-row.ts'
import type { Query } from '../../database/database.ts'
import { storableText } from '../../database/storable-text.ts'
import { isChild, jobs, sqlJobOf, sqlQueueOf, sqlSeqOf, TIER } from '../../queue/job-rows.ts'
import { isClaimed } from '../../queue/job-states.ts'

const childrenText = `
  SELECT c.seq, r.id, r.flow_id, c.child_index, o.status, o.finished_at, o.error, o.steps
  FROM millrace.children c JOIN millrace.runs r ON r.seq = c.seq LEFT JOIN millrace.outcomes o ON o.seq = c.seq
  WHERE c.parent_seq = $1 AND c.node = $2 AND c.child_index >= $3
  ORDER BY c.child_index, c.seq LIMIT $4`

export async function readChildren(
  query: Query,
  parentSeq: number,
  node: string,
  fromIndex: number,
  limit: number
): Promise<Child[]> {
  const values = [parentSeq, storableText(node), fromIndex, limit]
  const rows = await query<ChildRow>({ name: 'children', text: childrenText }, values)
  return rows.map(storedChild)
}

const countsText = `
  SELECT coalesce(o.status, 'open') AS status, count(*)::integer AS count
  FROM millrace.children c LEFT JOIN millrace.outcomes o ON o.seq = c.seq
  WHERE c.parent_seq = $1 AND c.node = $2 GROUP BY 1`

export async function countChildren(query: Query, parentSeq: number, node: string): Promise<ChildCounts> {
  const rows = await query<{ readonly status: keyof ChildCounts; readonly count: number }>(
    { name: 'count-children', text: countsText },
    [parentSeq, storableText(node)]
  )
  return { ...NO_CHILDREN, ...Object.fromEntries(rows.map(({ status, count }) => [status, count])) }
}

const jobOf = `JOIN ${jobs} j ON j.name = ${sqlQueueOf('r.flow_id')} AND j.id = ${sqlJobOf('r.seq')}`

/** Whether one above a run was cancelled, and the run not opened again by itself since. */
export const sqlIsCancelledAbove = (seq: string) => `EXISTS (
      WITH RECURSIVE above (seq) AS (
        SELECT parent_seq FROM millrace.children WHERE seq = ${seq} AND on_its_own IS NULL
        UNION ALL
        SELECT p.parent_seq FROM above JOIN millrace.children p ON p.seq = above.seq AND p.on_its_own IS NULL
      )
      SELECT 1 FROM above JOIN millrace.outcomes o ON o.seq = above.seq WHERE o.status = 'cancelled'
    )`

/** Whether it is counted by a wait that is open no longer, or is gone with the parent; or one above it was cancelled. */
const orphanedText = `
  SELECT EXISTS (
      SELECT 1 FROM millrace.children c JOIN millrace.runs r ON r.seq = c.seq ${jobOf}
      WHERE c.seq = $1 AND j.group_tier = '${TIER.counted}' AND NOT EXISTS (
        SELECT 1 FROM millrace.waits w WHERE w.run_seq = c.parent_seq AND w.node = c.node AND w.state = 'open'
      )
    ) OR ${sqlIsCancelledAbove('$1')} AS "isOrphaned"`

export async function isOrphaned(query: Query, seq: number): Promise<boolean> {
  const [row] = await query<{ isOrphaned: boolean }>({ name: 'is-orphaned', text: orphanedText }, [seq])
  return row!.isOrphaned
}

/** Also what one started that has ended. */
const openBelowText = `
  WITH RECURSIVE below (seq, depth) AS (
    SELECT seq, depth FROM millrace.children WHERE parent_seq = $1
    UNION ALL
    SELECT c.seq, c.depth FROM below JOIN millrace.children c ON c.parent_seq = below.seq
  )
  SELECT r.seq, r.id, r.flow_id AS "flowId", ${isClaimed('j')} AS "isClaimed" FROM below JOIN millrace.runs r ON r.seq = below.seq ${jobOf}
  ORDER BY below.depth, below.seq LIMIT $2`

export function openBelow(query: Query, seq: number, limit: number): Promise<OpenRun[]> {
  return readOpen(query, { name: 'open-below', text: openBelowText }, [seq, limit])
}

/** Its wait is open no longer, or one above it was cancelled: above the run that is asked about, or between. */
const orphanedBelowText = `
  WITH RECURSIVE above (seq) AS (
    SELECT $1::bigint
    UNION ALL
    SELECT c.parent_seq FROM above JOIN millrace.children c ON c.seq = above.seq AND c.on_its_own IS NULL
  ),
  below (seq, depth, parent_seq, node, is_cancelled) AS (
    SELECT c.seq, c.depth, c.parent_seq, c.node, EXISTS (
      SELECT 1 FROM above JOIN millrace.outcomes o ON o.seq = above.seq WHERE o.status = 'cancelled'
    )
    FROM millrace.children c WHERE c.parent_seq = $1 AND c.on_its_own IS NULL
    UNION ALL
    SELECT c.seq, c.depth, c.parent_seq, c.node, below.is_cancelled OR EXISTS (
      SELECT 1 FROM millrace.outcomes o WHERE o.seq = below.seq AND o.status = 'cancelled'
    )
    FROM below JOIN millrace.children c ON c.parent_seq = below.seq AND c.on_its_own IS NULL
  )
  SELECT r.seq, r.id, r.flow_id AS "flowId", ${isClaimed('j')} AS "isClaimed" FROM below JOIN millrace.runs r ON r.seq = below.seq ${jobOf}
  WHERE below.is_cancelled OR (j.group_tier = '${TIER.counted}' AND NOT EXISTS (
    SELECT 1 FROM millrace.waits w WHERE w.run_seq = below.parent_seq AND w.node = below.node AND w.state = 'open'
  ))
  ORDER BY below.depth, below.seq LIMIT $2`

export function orphanedBelow(query: Query, seq: number, limit: number): Promise<OpenRun[]> {
  return readOpen(query, { name: 'orphaned-below', text: orphanedBelowText }, [seq, limit])
}

const openOfText = `
  SELECT r.seq, r.id, r.flow_id AS "flowId", ${isClaimed('j')} AS "isClaimed"
  FROM ${jobs} j JOIN millrace.runs r ON r.seq = ${sqlSeqOf('j.id')}
  WHERE j.name = ${sqlQueueOf('$1::text')} LIMIT $2`

export function openOf(query: Query, flowId: string, limit: number): Promise<OpenRun[]> {
  return readOpen(query, { name: 'open-of', text: openOfText }, [flowId, limit])
}

const childVersionsText = `
  SELECT DISTINCT r.flow_id AS "flowId", r.flow_version AS "flowVersion"
  FROM ${jobs} j JOIN millrace.runs r ON r.seq = ${sqlSeqOf('j.id')} WHERE ${isChild('j')}`

export function openChildVersions(query: Query): Promise<FlowVersion[]> {
  return query<FlowVersion>({ name: 'open-child-versions', text: childVersionsText })
}

type OpenRow = Omit<OpenRun, 'isClaimed'> & { readonly isClaimed: boolean }

async function readOpen(query: Query, ...question: Parameters<Query>): Promise<OpenRun[]> {
  const rows = await query<OpenRow>(...question)
  return rows.map(({ isClaimed, ...run }) => (isClaimed ? { ...run, isClaimed } : run))
}
