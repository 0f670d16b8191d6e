import type { NewMessage } from '../../message-store.ts'
import type { RunRef } from '../../store.ts'
import type { Database, Query } from '../database/database.ts'
import { changeJobs, sqlTie, sqlTouch } from '../queue/job-rows.ts'
import { mayWrite } from '../queue/job-states.ts'
import { guard, nextNumber } from './change-numbers.ts'
import { printed, printedRows } from './print-messages.ts'

export interface Entry {
  readonly run: RunRef
  readonly text: string
  /** What its steps have said, as far as it is not there yet. */
  readonly printed?: readonly NewMessage[]
}

/** Touching the job is the comparison, and a heartbeat too: a run that reached a checkpoint is alive. */
const journalText = ({ more = '', prints = false }: { more?: string; prints?: boolean }) => `
  WITH ${guard},
  given AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS g (
      place integer, seq bigint, flow_id text, claim text, entry text${prints ? ', messages json' : ''}
    ) ORDER BY flow_id, seq
  ),
  touched AS (
    ${changeJobs({
      set: `${sqlTouch}${more}`,
      from: 'given g',
      seq: 'g.seq',
      flowId: 'g.flow_id',
      where: mayWrite('checkpoint', 'j', 'g.claim'),
      returning: 'g.*'
    })}
  ),
  numbered AS MATERIALIZED (
    SELECT ${nextNumber} AS no, t.* FROM guard, (SELECT * FROM touched ORDER BY place) t
  ),
  kept AS (
    INSERT INTO millrace.journal (no, run_seq, flow_id, entry) SELECT no, seq, flow_id, entry FROM numbered
  )${prints ? `,${printed}` : ''}
  SELECT place, no FROM numbered`

const tied = `, ${sqlTie('j')}`
const journal = {
  silent: { name: 'journal', text: journalText({}) },
  prints: { name: 'journal-prints', text: journalText({ prints: true }) }
}
const journalTied = {
  silent: { name: 'journal-tied', text: journalText({ more: tied }) },
  prints: { name: 'journal-tied-prints', text: journalText({ more: tied, prints: true }) }
}

export function journalRuns(
  { write }: Pick<Database, 'write'>,
  entries: readonly Entry[]
): Promise<(number | null)[]> {
  return append(write, journal, entries)
}

/** From here on the end of these runs concerns other rows too. */
export function journalTiedRuns(query: Query, entries: readonly Entry[]): Promise<(number | null)[]> {
  return append(query, journalTied, entries)
}

export async function forgetEntries(
  { write }: Pick<Database, 'write'>,
  { seq }: RunRef,
  entries: readonly string[]
): Promise<void> {
  await write({ name: 'forget-entries', text: forgetText }, [seq, entries])
}

const forgetText = 'DELETE FROM millrace.journal WHERE run_seq = $1 AND entry = ANY ($2::text[])'

async function append(
  query: Query,
  statements: typeof journal,
  entries: readonly Entry[]
): Promise<(number | null)[]> {
  const numbers: (number | null)[] = entries.map(() => null)
  const given = entries.map((each, place) => {
    const { seq, flowId, claim = null } = each.run
    return { place, seq, flow_id: flowId, claim, entry: each.text, ...printedRows(each) }
  })
  const statement = given.some((row) => 'messages' in row) ? statements.prints : statements.silent
  const rows = await query<{ place: number; no: number }>(statement, [JSON.stringify(given)])
  for (const { place, no } of rows) numbers[place] = no
  return numbers
}
