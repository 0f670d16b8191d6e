import type { RunRef } from '../store.ts'
import { guard, nextNumber } from './change-numbers.ts'
import type { Database, Prepared, Query } from './database.ts'
import { insertJobs, jobs, sqlJobOf, sqlMayWrite, sqlQueueOf, sqlTie, sqlTieOf } from './job-rows.ts'

export interface Entry {
  readonly run: RunRef
  readonly text: string
}

/** Touching the job is the comparison, and a heartbeat too: a run that reached a checkpoint is alive. */
const journalText = (more = '') => `
  WITH ${guard},
  given AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS g (
      place integer, seq bigint, flow_id text, claim text, entry text
    ) ORDER BY flow_id, seq
  ),
  touched AS (
    UPDATE ${jobs} j SET heartbeat_on = greatest(j.heartbeat_on, now())${more} FROM given g
    WHERE j.name = ${sqlQueueOf('g.flow_id')} AND j.id = ${sqlJobOf('g.seq')} AND ${sqlMayWrite('j', 'g.claim')}
    RETURNING g.*
  ),
  numbered AS MATERIALIZED (
    SELECT ${nextNumber} AS no, t.* FROM guard, (SELECT * FROM touched ORDER BY place) t
  ),
  kept AS (
    INSERT INTO millrace.journal (no, run_seq, flow_id, entry) SELECT no, seq, flow_id, entry FROM numbered
  )
  SELECT place, no FROM numbered`

const journal = { name: 'journal', text: journalText() }
const journalTied = { name: 'journal-tied', text: journalText(`, ${sqlTie('j')}`) }

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

async function append(
  query: Query,
  statement: Prepared,
  entries: readonly Entry[]
): Promise<(number | null)[]> {
  const numbers: (number | null)[] = entries.map(() => null)
  const given = entries.map(({ run, text }, place) => {
    const { seq, flowId, claim = null } = run
    return { place, seq, flow_id: flowId, claim, entry: text }
  })
  const rows = await query<{ place: number; no: number }>(statement, [JSON.stringify(given)])
  for (const { place, no } of rows) numbers[place] = no
  return numbers
}

/**
 * Messages of the earlier attempt stay: they were printed. And what came for a wait before the run had come to it: who sent it
 * was told that it was taken.
 */
const reopenText = `
  WITH ${guard},
  taken_back AS (
    DELETE FROM millrace.outcomes WHERE seq = $1 AND flow_id = $2 AND status <> 'succeeded'
    RETURNING seq, flow_id
  ),
  came AS MATERIALIZED (
    SELECT w.node, j.entry FROM millrace.waits w JOIN millrace.journal j ON j.no = w.entry_no
    WHERE w.run_seq IN (SELECT seq FROM taken_back) AND w.state = 'woken' AND w.id IS NULL
  ),
  cleared AS (DELETE FROM millrace.journal WHERE run_seq IN (SELECT seq FROM taken_back)),
  unblamed AS (DELETE FROM millrace.hung_steps WHERE run_seq IN (SELECT seq FROM taken_back)),
  queued AS (${insertJobs('taken_back', { group_tier: sqlTieOf('seq') })}),
  numbered AS MATERIALIZED (SELECT ${nextNumber} AS no, t.* FROM guard, taken_back t),
  renumbered AS MATERIALIZED (SELECT ${nextNumber} AS no, n.seq, n.flow_id, c.* FROM guard, numbered n, came c),
  renamed AS (
    UPDATE millrace.waits w SET entry_no = c.no FROM renumbered c WHERE w.run_seq = c.seq AND w.node = c.node
  ),
  kept AS (
    INSERT INTO millrace.journal (no, run_seq, flow_id, entry)
    SELECT no, seq, flow_id, $3 FROM numbered UNION ALL SELECT no, seq, flow_id, entry FROM renumbered
  )
  SELECT no FROM numbered`

export async function reopenRun(
  { write }: Pick<Database, 'write'>,
  { run, text }: Entry
): Promise<number | null> {
  const [row] = await write<{ no: number }>({ name: 'reopen', text: reopenText }, [run.seq, run.flowId, text])
  return row?.no ?? null
}
