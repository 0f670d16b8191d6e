import type { QueueState } from '../../queue-state.ts'
import type { RunSummary, RunToEnd, StoredRun } from '../../store.ts'
import type { Query } from '../database/database.ts'
import { storableText } from '../database/storable-text.ts'
import { isToCancel, jobOf, sqlClaimedUnder } from '../queue/job-rows.ts'
import { sqlStateOf } from '../queue/job-states.ts'
import {
  type FullRow,
  fullColumns,
  runSummary,
  runsAndOutcomes,
  type SummaryRow,
  storedRun,
  summaryColumns
} from './run-rows.ts'

const byId = { name: 'run-by-id', text: `SELECT ${fullColumns} FROM ${runsAndOutcomes} WHERE r.id = $1` }

export async function readRun(query: Query, id: string): Promise<StoredRun | undefined> {
  const [row] = await query<FullRow>(byId, [storableText(id)])
  return row && storedRun(row)
}

const toEnd = {
  name: 'run-to-end',
  text: `
    SELECT ${fullColumns}, ${sqlStateOf('job')} AS state, ${isToCancel('job')} AS is_to_cancel,
      ${sqlClaimedUnder('job')} AS claimed_under,
      coalesce((SELECT max(e.no) FROM millrace.journal e WHERE e.run_seq = r.seq), 0) AS last_entry
    FROM ${runsAndOutcomes}
    LEFT JOIN ${jobOf('r.seq', 'r.flow_id', 'job')}
    WHERE r.id = $1`
}

interface ToEndRow extends FullRow {
  readonly state: QueueState | null
  readonly is_to_cancel: boolean
  readonly claimed_under: string | null
  readonly last_entry: number
}

export async function readToEnd(query: Query, id: string): Promise<RunToEnd | undefined> {
  const [row] = await query<ToEndRow>(toEnd, [storableText(id)])
  if (row === undefined) return undefined
  const { state, is_to_cancel: isCancelWanted, claimed_under: claimedUnder, last_entry: lastEntry } = row
  return {
    ...storedRun(row),
    state,
    isCancelWanted,
    lastEntry,
    ...(claimedUnder !== null && { claimedUnder })
  }
}

const firstText = `
  WITH measured AS (
    SELECT g.*, sum(octet_length(r.input) + coalesce(octet_length(o.steps), 0) + coalesce(
        (SELECT sum(octet_length(e.entry)) FROM millrace.journal e WHERE e.run_seq = r.seq), 0
      )) OVER (ORDER BY g.place) AS size
    FROM unnest($1::bigint[]) WITH ORDINALITY AS g (seq, place)
    JOIN millrace.runs r ON r.seq = g.seq LEFT JOIN millrace.outcomes o ON o.seq = r.seq
  )
  SELECT ${fullColumns} FROM measured m
  JOIN millrace.runs r ON r.seq = m.seq LEFT JOIN millrace.outcomes o ON o.seq = r.seq
  WHERE m.size <= $2 OR m.place = 1
  ORDER BY m.place`

/** As many of the first as take so many bytes together, and one at least. */
export async function readFirst(query: Query, seqs: readonly number[], bytes: number): Promise<StoredRun[]> {
  const rows = await query<FullRow>({ name: 'first-runs', text: firstText }, [seqs, bytes])
  return rows.map(storedRun)
}

/** The index finds the newest of each flow at once, however seldom it runs. */
const newestText = `
  SELECT ${summaryColumns}
  FROM unnest($1::text[]) AS flow (id)
  CROSS JOIN LATERAL (
    SELECT seq FROM millrace.runs WHERE flow_id = flow.id AND is_test IS NULL AND is_child IS NULL ORDER BY seq DESC LIMIT $2
  ) AS newest
  JOIN millrace.runs r ON r.seq = newest.seq
  LEFT JOIN millrace.outcomes o ON o.seq = r.seq
  ORDER BY r.seq DESC`

export async function recentRuns(
  query: Query,
  flowIds: readonly string[],
  limit: number
): Promise<Map<string, RunSummary[]>> {
  const rows = await query<SummaryRow>(newestText, [[...new Set(flowIds)], limit])
  return Map.groupBy(rows.map(runSummary), (run) => run.flowId)
}

/**
 * Almost always the newest ending of the flow is the one. Looking for the name as text leaves out most rows cheaply;
 * reading the list then tells a name from a part of the list that looks like it.
 */
const latestText = `
  SELECT ${fullColumns} FROM ${runsAndOutcomes}
  WHERE r.seq = (
    SELECT seq FROM millrace.outcomes
    WHERE flow_id = $1 AND strpos(nodes, $2) > 0 AND nodes::jsonb ? $3
    ORDER BY no DESC LIMIT 1
  )`

export async function latestWithOutput(
  query: Query,
  flowId: string,
  node: string
): Promise<StoredRun | undefined> {
  const [row] = await query<FullRow>(latestText, [flowId, JSON.stringify(node), storableText(node)])
  return row && storedRun(row)
}
