import { type EndRow, type OutcomeRow, storedOutcome, summaryOutcome } from '../../rows/run-row.ts'
import { FACT_COLUMNS, factsOfRow, type RunRow } from '../../run-fields.ts'
import type { AcceptedRun, ParentRef, RunSummary, StoredRun } from '../../store.ts'
import { fromJobOf } from '../queue/job-rows.ts'
import { isClaimed, isInLine } from '../queue/job-states.ts'
import { sqlIsWaiting } from './waits/wait-rows.ts'

// In all of these, `r` is runs and `o` is outcomes.
export const runColumns = `r.seq, ${FACT_COLUMNS.map(({ name }) => `r.${name}`).join(', ')}, r.is_test,
  CASE WHEN r.is_child = 1 THEN (
    SELECT json_build_object('seq', c.parent_seq, 'runId', c.parent_id, 'flowId', c.parent_flow_id, 'node', c.node,
      'index', c.child_index, 'depth', c.depth, 'isAwaited', c.is_awaited = 1)
    FROM millrace.children c WHERE c.seq = r.seq) END AS parent`
const endColumns = 'o.no, o.status, o.started_at, o.finished_at, o.error'
/**
 * The journal outlives the end of its run, but then nobody asks for it. Asked for the first one in order and no more,
 * PostgreSQL might go through the journals of all runs.
 */
const firstEntry = `CASE WHEN o.no IS NULL THEN
  (SELECT (array_agg(j.entry ORDER BY j.no))[1] FROM millrace.journal j WHERE j.run_seq = r.seq) END AS first_entry`

/** How an open run stands; null where it has ended. One that was woken is waiting until it is taken up. */
const standing = `(
  SELECT CASE WHEN ${isClaimed('q')} THEN 'claimed'
    WHEN ${isInLine('q')} THEN 'in line'
    WHEN ${sqlIsWaiting('q', 'r.seq')} THEN 'waiting' END
  FROM ${fromJobOf('r.seq', 'r.flow_id', 'q')}
) AS standing`

export const outcomeColumns = `${endColumns}, o.steps`
const acceptedColumns = `${runColumns}, r.request, r.input`
/** The entries of a run's journal, or null where it has none. */
const journalColumn =
  '(SELECT array_agg(j.entry ORDER BY j.no) FROM millrace.journal j WHERE j.run_seq = r.seq) AS journal'

export const fullColumns = `${acceptedColumns}, ${outcomeColumns}, ${journalColumn}, ${standing}`
export const summaryColumns = `${runColumns}, ${endColumns}, ${firstEntry}, ${standing}`
export const runsAndOutcomes = 'millrace.runs r LEFT JOIN millrace.outcomes o ON o.seq = r.seq'

/** A run that another one started says so. */
export interface FactsRow extends RunRow {
  readonly parent: ParentRef | null
}

export function factsOf(row: FactsRow): Omit<AcceptedRun, 'input' | 'request'> {
  return row.parent === null ? factsOfRow(row) : { ...factsOfRow(row), parent: row.parent }
}

interface Standing {
  readonly standing: 'claimed' | 'waiting' | 'in line' | null
}

export interface SummaryRow extends FactsRow, EndRow, Standing {
  readonly first_entry: string | null
}

export interface FullRow extends FactsRow, OutcomeRow, Standing {
  readonly request: string | null
  readonly input: Buffer
  readonly journal: readonly string[] | null
}

export function storedRun(row: FullRow): StoredRun {
  return {
    ...factsOf(row),
    input: row.input,
    request: row.request,
    outcome: storedOutcome(row),
    journal: row.journal ?? [],
    ...standingOf(row)
  }
}

function standingOf({ standing }: Standing): { isClaimed?: true; isWaiting?: true; isInLine?: true } {
  if (standing === 'claimed') return { isClaimed: true }
  if (standing === 'in line') return { isInLine: true }
  return standing === 'waiting' ? { isWaiting: true } : {}
}

export function runSummary(row: SummaryRow): RunSummary {
  return {
    ...factsOf(row),
    outcome: summaryOutcome(row),
    firstEntry: row.first_entry,
    ...standingOf(row)
  }
}
