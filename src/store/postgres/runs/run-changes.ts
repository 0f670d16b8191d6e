import { type OutcomeRow, storedOutcome } from '../../rows/run-row.ts'
import type { Change } from '../../store.ts'
import type { Query } from '../database/database.ts'
import { settledNumber } from './change-numbers.ts'
import { type FactsRow, factsOf, outcomeColumns, runColumns } from './run-rows.ts'

interface JournalRow {
  readonly no: number
  readonly id: string
  readonly flow_id: string
  readonly entry: string
}

interface EndedRow extends OutcomeRow {
  readonly no: number
  readonly id: string
  readonly flow_id: string
}

/** So many bytes of journal or steps are read at once, as they are stored: large ones are read few at a time. */
const MOST_BYTES = 512 * 1024

/** The three kinds of change, merged by number, up to where none can come in between any more. */
export async function readChanges(
  query: Query,
  flowIds: readonly string[] | null,
  after: number,
  limit: number
): Promise<Change[]> {
  if (flowIds?.length === 0) return []
  const upTo = await settledNumber(query)
  if (upTo <= after) return []
  const values = [after, upTo, limit, ...ownValue(flowIds)]
  const whose = whoseOf(flowIds, '$4')
  const [accepted, journal, ended] = await Promise.all([
    query<FactsRow>(
      `SELECT ${runColumns} FROM millrace.runs r
       WHERE r.seq > $1 AND r.seq <= $2 ${whose} ORDER BY r.seq LIMIT $3`,
      values
    ),
    query<JournalRow & Sized>(
      `SELECT j.no, r.id, j.flow_id, j.entry, j.of FROM (${sized('entry', 'journal', whose)}) j
       JOIN millrace.runs r ON r.seq = j.run_seq WHERE j.before <= ${MOST_BYTES} ORDER BY j.no`,
      values
    ),
    query<EndedRow & Sized>(
      `SELECT r.id, o.flow_id, ${outcomeColumns}, o.of FROM (${sized('steps', 'outcomes', whose)}) o
       JOIN millrace.runs r ON r.seq = o.seq WHERE o.before <= ${MOST_BYTES} ORDER BY o.no`,
      values
    )
  ])
  const changes = [...accepted.map(acceptedChange), ...journal.map(journalChange), ...ended.map(endedChange)]
  const last = Math.min(lastRead(journal), lastRead(ended))
  return changes
    .filter(({ no }) => no <= last)
    .sort((a, b) => a.no - b.no)
    .slice(0, limit)
}

/** How many such changes there are, as far as `most`. */
export async function countChanges(
  query: Query,
  flowIds: readonly string[] | null,
  after: number,
  most: number
): Promise<number> {
  if (flowIds?.length === 0) return 0
  const whose = whoseOf(flowIds, '$3')
  const some = (table: string, number: string) =>
    `(SELECT 1 FROM millrace.${table} WHERE ${number} > $1 ${whose} LIMIT $2)`
  const [row] = await query<{ count: number }>(
    `SELECT count(*) AS count FROM (
       ${some('runs', 'seq')} UNION ALL ${some('journal', 'no')} UNION ALL ${some('outcomes', 'no')} LIMIT $2
     ) AS counted`,
    [after, most, ...ownValue(flowIds)]
  )
  return row!.count
}

function whoseOf(flowIds: readonly string[] | null, parameter: string): string {
  return flowIds === null ? '' : `AND flow_id = ANY (${parameter}::text[])`
}

function ownValue(flowIds: readonly string[] | null): unknown[] {
  return flowIds === null ? [] : [flowIds]
}

interface Sized {
  readonly no: number
  /** How many rows there were to choose from. */
  readonly of: number
}

/** Rows with the bytes of this column in those before them. A large value is not read to know its size. */
function sized(column: string, table: string, whose: string): string {
  return `
    SELECT *, count(*) OVER () AS of,
      sum(pg_column_size(${column})) OVER (ORDER BY no) - pg_column_size(${column}) AS before
    FROM (
      SELECT * FROM millrace.${table} WHERE no > $1 AND no <= $2 ${whose} ORDER BY no LIMIT $3
    ) AS chosen`
}

/** Where rows were left out because of their size, nothing with a larger number may be told before they are. */
function lastRead(rows: readonly Sized[]): number {
  const last = rows.at(-1)
  return last === undefined || rows.length === last.of ? Number.POSITIVE_INFINITY : last.no
}

function acceptedChange(row: FactsRow): Change {
  return { kind: 'accepted', no: row.seq, flowId: row.flow_id, run: factsOf(row) }
}

function journalChange({ no, flow_id: flowId, id: runId, entry }: JournalRow): Change {
  return { kind: 'journal', no, flowId, runId, entry }
}

function endedChange(row: EndedRow): Change {
  return { kind: 'ended', no: row.no, flowId: row.flow_id, runId: row.id, outcome: storedOutcome(row)! }
}
