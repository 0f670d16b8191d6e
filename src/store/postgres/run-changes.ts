import { type OutcomeRow, type RunRow, runFacts, storedOutcome } from '../rows/run-row.ts'
import type { Change } from '../store.ts'
import { settledNumber } from './change-numbers.ts'
import type { Query } from './database.ts'
import { outcomeColumns, runColumns } from './run-rows.ts'

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
  const values = [after, upTo, limit, ...(flowIds === null ? [] : [flowIds])]
  const whose = (alias: string) => (flowIds === null ? '' : `AND ${alias}.flow_id = ANY ($4::text[])`)
  const [accepted, journal, ended] = await Promise.all([
    query<RunRow>(
      `SELECT ${runColumns} FROM millrace.runs r
       WHERE r.seq > $1 AND r.seq <= $2 ${whose('r')} ORDER BY r.seq LIMIT $3`,
      values
    ),
    query<JournalRow>(
      `SELECT j.no, r.id, j.flow_id, j.entry FROM millrace.journal j JOIN millrace.runs r ON r.seq = j.run_seq
       WHERE j.no > $1 AND j.no <= $2 ${whose('j')} ORDER BY j.no LIMIT $3`,
      values
    ),
    query<EndedRow>(
      `SELECT r.id, o.flow_id, ${outcomeColumns} FROM millrace.outcomes o JOIN millrace.runs r ON r.seq = o.seq
       WHERE o.no > $1 AND o.no <= $2 ${whose('o')} ORDER BY o.no LIMIT $3`,
      values
    )
  ])
  const changes = [...accepted.map(acceptedChange), ...journal.map(journalChange), ...ended.map(endedChange)]
  return changes.sort((a, b) => a.no - b.no).slice(0, limit)
}

function acceptedChange(row: RunRow): Change {
  return { kind: 'accepted', no: row.seq, flowId: row.flow_id, run: runFacts(row) }
}

function journalChange({ no, flow_id: flowId, id: runId, entry }: JournalRow): Change {
  return { kind: 'journal', no, flowId, runId, entry }
}

function endedChange(row: EndedRow): Change {
  return { kind: 'ended', no: row.no, flowId: row.flow_id, runId: row.id, outcome: storedOutcome(row)! }
}
