import { type EndRow, type OutcomeRow, storedOutcome, summaryOutcome } from '../../rows/run-row.ts'
import { FACT_COLUMNS, factsOfRow, type RunRow } from '../../run-fields.ts'
import type { AcceptedRun, ParentRef, RunSummary, StoredRun } from '../../store.ts'
import { flowIdOf } from '../file/interned-names.ts'

/** As JSON, in one column that costs those without a parent nothing. */
export const parentColumn = `CASE WHEN r.is_child = 1 THEN (
  SELECT json_array(c.parent_seq, c.parent_id, (SELECT name FROM names WHERE no = c.parent_flow),
    (SELECT name FROM names WHERE no = c.node), c.child_index, c.depth, c.is_awaited)
  FROM children c WHERE c.seq = r.seq) END AS parent`

// In all of these, `r` is runs and `o` is outcomes.
const factColumns = FACT_COLUMNS.map(({ name }) => (name === 'flow_id' ? flowIdOf('r') : `r.${name}`))
export const runColumns = `r.seq, ${factColumns.join(', ')}, r.is_test, ${parentColumn}`
const endColumns = 'o.no, o.status, o.started_at, o.finished_at, o.error'
/** The journal outlives the end of its run, but then nobody asks for it. */
const firstEntry = `CASE WHEN o.no IS NULL
  THEN (SELECT j.entry FROM journal j WHERE j.run_seq = r.seq ORDER BY j.no LIMIT 1) END AS first_entry`

/** Of an open run, as far as it is shown. */
const standing = `CASE WHEN o.no IS NULL THEN (
  SELECT CASE WHEN q.is_waiting = 1 THEN 'waiting' WHEN q.state = 'in line' THEN 'in line' END
  FROM queue q WHERE q.seq = r.seq) END AS standing`

const acceptedColumns = `${runColumns}, r.request, r.input`
export const outcomeColumns = `${endColumns}, o.steps`
export const fullColumns = `${acceptedColumns}, ${outcomeColumns}, ${standing}`
export const summaryColumns = `${runColumns}, ${endColumns}, ${firstEntry}, ${standing}`

/** A run, and who started it. */
export interface RunRowWithParent extends RunRow {
  readonly parent: string | null
}

export function factsOf(row: RunRowWithParent): Omit<AcceptedRun, 'input' | 'request'> {
  return row.parent === null ? factsOfRow(row) : { ...factsOfRow(row), parent: parentOf(row.parent) }
}

export function parentOf(json: string): ParentRef {
  const [seq, runId, flowId, node, index, depth, isAwaited] = JSON.parse(json) as ParentValues
  return { seq, runId, flowId, node, index, depth, isAwaited: isAwaited === 1 }
}

type ParentValues = [
  seq: number,
  runId: string,
  flowId: string,
  node: string,
  index: number,
  depth: number,
  isAwaited: number
]

interface Standing {
  readonly standing: 'waiting' | 'in line' | null
}

export interface SummaryRow extends RunRowWithParent, EndRow, Standing {
  readonly first_entry: string | null
}

interface AcceptedRow extends RunRowWithParent {
  readonly request: string | null
  readonly input: Uint8Array
}

export interface FullRow extends AcceptedRow, OutcomeRow, Standing {}

function acceptedRun(row: AcceptedRow): AcceptedRun {
  return { ...factsOf(row), input: row.input, request: row.request }
}

export function storedRun(row: FullRow, journal: readonly string[]): StoredRun {
  const run = { ...acceptedRun(row), outcome: storedOutcome(row), journal }
  return row.standing === null ? run : { ...run, ...standingOf(row) }
}

export function runSummary(row: SummaryRow): RunSummary {
  const run = { ...factsOf(row), outcome: summaryOutcome(row), firstEntry: row.first_entry }
  return row.standing === null ? run : { ...run, ...standingOf(row) }
}

function standingOf({ standing }: Standing): { isWaiting?: true; isInLine?: true } {
  return standing === 'waiting' ? { isWaiting: true } : { isInLine: true }
}
