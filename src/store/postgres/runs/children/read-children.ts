import {
  type Child,
  type ChildCounts,
  type FlowVersion,
  NO_CHILDREN,
  type OpenRun
} from '../../../children.ts'
import type { ModelUsage } from '../../../model-usage.ts'
import { type ChildRow, storedChild } from '../../../rows/child-row.ts'
import type { Query } from '../../database/database.ts'
import { storableText } from '../../database/storable-text.ts'
import { anyJob, isChild, isOfFlow, jobOf, seqOfJob } from '../../queue/job-rows.ts'
import { isClaimed } from '../../queue/job-states.ts'

const ofNode = `
  SELECT c.seq, r.id, r.flow_id, c.child_index, o.status, o.finished_at, o.error, o.steps
  FROM millrace.children c JOIN millrace.runs r ON r.seq = c.seq LEFT JOIN millrace.outcomes o ON o.seq = c.seq
  WHERE c.parent_seq = $1 AND c.node = $2`
const childrenText = `${ofNode} AND c.child_index >= $3 ORDER BY c.child_index, c.seq LIMIT $4`
const lastChildText = `${ofNode} ORDER BY c.child_index DESC LIMIT 1`

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

export async function lastChild(query: Query, parentSeq: number, node: string): Promise<Child | undefined> {
  const values = [parentSeq, storableText(node)]
  const [row] = await query<ChildRow>({ name: 'last-child', text: lastChildText }, values)
  return row && storedChild(row)
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

const usageBelowText = `
  WITH RECURSIVE below (seq) AS (
    SELECT seq FROM millrace.children WHERE parent_seq = $1 AND is_awaited = 1
    UNION ALL
    SELECT c.seq FROM below JOIN millrace.children c ON c.parent_seq = below.seq WHERE c.is_awaited = 1
  )
  SELECT u.model, sum(u.input_tokens)::bigint AS input, sum(u.cached_tokens)::bigint AS cached,
    sum(u.output_tokens)::bigint AS output
  FROM below JOIN millrace.model_usage u ON u.run_seq = below.seq GROUP BY u.model ORDER BY u.model`

export function usageBelow(query: Query, seq: number): Promise<readonly ModelUsage[]> {
  return query<ModelUsage>({ name: 'usage-below', text: usageBelowText }, [seq])
}

/** In these, `r` is runs and `j` their jobs. */
const openColumns = `r.seq, r.id, r.flow_id AS "flowId", ${isClaimed('j')} AS "isClaimed"`

/** Open runs among rows with their numbers. */
export const selectOpen = (rows: string) => `SELECT ${openColumns}
  FROM ${rows} JOIN millrace.runs r ON r.seq = ${rows}.seq
  JOIN ${jobOf('r.seq', 'r.flow_id')}`

type OpenRow = Omit<OpenRun, 'isClaimed'> & { readonly isClaimed: boolean }

export async function readOpen(query: Query, ...question: Parameters<Query>): Promise<OpenRun[]> {
  const rows = await query<OpenRow>(...question)
  return rows.map(({ isClaimed, ...run }) => (isClaimed ? { ...run, isClaimed } : run))
}

/** Also what one started that has ended. */
const openBelowText = `
  WITH RECURSIVE below (seq, depth) AS (
    SELECT seq, depth FROM millrace.children WHERE parent_seq = $1
    UNION ALL
    SELECT c.seq, c.depth FROM below JOIN millrace.children c ON c.parent_seq = below.seq
  )
  ${selectOpen('below')}
  ORDER BY below.depth, below.seq LIMIT $2`

export function openBelow(query: Query, seq: number, limit: number): Promise<OpenRun[]> {
  return readOpen(query, { name: 'open-below', text: openBelowText }, [seq, limit])
}

const openOfText = `
  SELECT ${openColumns}
  FROM ${anyJob} JOIN millrace.runs r ON r.seq = ${seqOfJob()}
  WHERE ${isOfFlow('$1::text')} LIMIT $2`

export function openOf(query: Query, flowId: string, limit: number): Promise<OpenRun[]> {
  return readOpen(query, { name: 'open-of', text: openOfText }, [flowId, limit])
}

const childVersionsText = `
  SELECT DISTINCT r.flow_id AS "flowId", r.flow_version AS "flowVersion", r.context
  FROM ${anyJob} JOIN millrace.runs r ON r.seq = ${seqOfJob()} WHERE ${isChild('j')}`

export function openChildVersions(query: Query): Promise<FlowVersion[]> {
  return query<FlowVersion>({ name: 'open-child-versions', text: childVersionsText })
}
