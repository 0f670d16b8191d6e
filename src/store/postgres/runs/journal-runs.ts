import type { NewMessage } from '../../message-store.ts'
import type { ReopenConditions } from '../../run.ts'
import type { RunRef } from '../../store.ts'
import type { Database, Query } from '../database/database.ts'
import { insertJobs, jobs, sqlJobOf, sqlQueueOf, sqlTie, TIER } from '../queue/job-rows.ts'
import { mayWrite } from '../queue/job-states.ts'
import { guard, nextNumber } from './change-numbers.ts'
import { sqlIsCancelledAbove } from './children/orphaned.ts'
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
    UPDATE ${jobs} j SET heartbeat_on = greatest(j.heartbeat_on, now())${more} FROM given g
    WHERE j.name = ${sqlQueueOf('g.flow_id')} AND j.id = ${sqlJobOf('g.seq')} AND ${mayWrite('checkpoint', 'j', 'g.claim')}
    RETURNING g.*
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

export interface ReopenEntry extends Entry {
  readonly only?: ReopenConditions | undefined
}

/** A version that is being deleted is waited for, and is gone then. */
const versionText = `
  version AS MATERIALIZED (
    SELECT 1 FROM millrace.flow_versions WHERE flow_id = $2 AND version = $5::integer FOR KEY SHARE
  )`

/** Messages of the earlier attempt stay: they were printed. What woke its waits too: who sent it was told that it was taken. */
const reopenText = (job: Parameters<typeof insertJobs>[1]) => `
  WITH ${guard},${versionText},
  taken_back AS (
    DELETE FROM millrace.outcomes WHERE seq = $1 AND flow_id = $2 AND status <> 'succeeded'
      AND ($4::bigint IS NULL OR no = $4) AND ($5::integer IS NULL OR EXISTS (SELECT 1 FROM version))
    RETURNING seq, flow_id, is_child
  ),
  remembered AS (
    UPDATE millrace.waits w SET entry = j.entry FROM millrace.journal j
    WHERE w.run_seq IN (SELECT seq FROM taken_back) AND w.state = 'woken' AND j.no = w.entry_no
  ),
  cleared AS (DELETE FROM millrace.journal WHERE run_seq IN (SELECT seq FROM taken_back)),
  unblamed AS (DELETE FROM millrace.hung_steps WHERE run_seq IN (SELECT seq FROM taken_back)),
  alone AS (
    UPDATE millrace.children c SET on_its_own = 1
    WHERE c.seq IN (SELECT seq FROM taken_back) AND ${sqlIsCancelledAbove('c.seq')}
  ),
  queued AS (${insertJobs('taken_back', job)}),
  numbered AS MATERIALIZED (SELECT ${nextNumber} AS no, t.* FROM guard, taken_back t),
  kept AS (
    INSERT INTO millrace.journal (no, run_seq, flow_id, entry) SELECT no, seq, flow_id, $3 FROM numbered
  )
  SELECT no FROM numbered`

/** A child that is opened again by itself is not counted by its parent. */
const reopen = {
  name: 'reopen',
  text: reopenText({
    group_tier: `CASE WHEN is_child = 1 THEN '${TIER.child}'
      WHEN EXISTS (SELECT 1 FROM millrace.waits w WHERE w.run_seq = seq) THEN '${TIER.tied}' END`
  })
}
export async function reopenRun(
  { write }: Pick<Database, 'write'>,
  { run, text, only }: ReopenEntry
): Promise<number | null> {
  const values = [run.seq, run.flowId, text, only?.endNo ?? null, only?.version ?? null]
  const [row] = await write<{ no: number }>(reopen, values)
  return row?.no ?? null
}
