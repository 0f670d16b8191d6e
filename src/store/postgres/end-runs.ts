import type { Outcome, RunRef } from '../store.ts'
import { guard, nextNumber } from './change-numbers.ts'
import type { Database } from './database.ts'
import { endTiedRuns } from './end-tied-runs.ts'
import { isTied, jobs, sqlJobOf, sqlMayWrite, sqlQueueOf } from './job-rows.ts'
import { keepUsage } from './model-usage.ts'
import { storableText } from './storable-text.ts'

export interface End {
  readonly run: RunRef
  readonly outcome: Outcome
}

/**
 * Hot: once per batch of runs. Removing the job is the comparison: the one who takes it out ends the run, and with
 * a claim only while it holds. In the order of the jobs' keys, in which heartbeats go too: two statements that lock
 * the same jobs in different orders would stop each other.
 *
 * A run that was opened again ends with the messages of its earlier steps too; those are there already.
 */
const endText = (more: { readonly column: string; readonly part: string; readonly which?: string }) => `
  WITH ${guard},
  given AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS g (
      place integer, seq bigint, flow_id text, claim text, status text, started_at bigint, finished_at bigint,
      nodes text, error text, steps text, messages json${more.column}
    ) ORDER BY flow_id, seq
  ),
  closed AS (
    DELETE FROM ${jobs} j USING given g
    WHERE j.name = ${sqlQueueOf('g.flow_id')} AND j.id = ${sqlJobOf('g.seq')} AND ${sqlMayWrite('j', 'g.claim')}
      ${more.which ?? ''}
    RETURNING g.*
  ),
  numbered AS MATERIALIZED (
    SELECT ${nextNumber} AS no, c.* FROM guard, (SELECT * FROM closed ORDER BY place) c
  ),
  kept AS (
    INSERT INTO millrace.outcomes
      (seq, no, flow_id, status, started_at, finished_at, claim, nodes, error, steps)
    SELECT seq, no, flow_id, status, started_at, finished_at, claim, nodes, error, steps FROM numbered
  ),
  printed AS (
    INSERT INTO millrace.messages (run_seq, id, no, place, flow_id, session, created_at, sender, text, long)
    SELECT n.seq, m.id, n.no, m.place, n.flow_id, m.session, m.created_at, m.sender, m.text, m.long
    FROM numbered n, json_to_recordset(n.messages) AS m (
      id text, place integer, session text, created_at bigint, sender text, text text, long text
    )
    ON CONFLICT (run_seq, id) DO NOTHING
  )${more.part}
  SELECT place, no FROM numbered`

const withUsage = { column: ', usage json', part: keepUsage }
/** What is tied to other rows is left to a transaction of its own: a plain run pays no more than this look. */
const which = `AND NOT (${isTied('j')})`

const endPlain = { name: 'end', text: endText({ column: '', part: '', which }) }
const endWithUsage = { name: 'end-usage', text: endText({ ...withUsage, which }) }
const endTied = { name: 'end-tied', text: endText(withUsage) }

/** Ends that went through although the answer was lost: the claim tells that it was us. */
const earlierText = `
  SELECT g.place, o.no FROM json_to_recordset($1::json) AS g (place integer, seq bigint, claim text)
  JOIN millrace.outcomes o ON o.seq = g.seq AND o.claim = g.claim`

interface Numbered {
  readonly place: number
  readonly no: number
}

/** `areTied`: they are known to be tied to other rows. Among the others some may turn out to be. */
export async function endRuns(
  db: Database,
  ends: readonly End[],
  areTied = false
): Promise<(number | null)[]> {
  const numbers: (number | null)[] = ends.map(() => null)
  const rows = ends.map(endRow)
  const left = () => rows.filter(({ place }) => numbers[place] === null)
  const note = (numbered: readonly Numbered[]) => {
    for (const { place, no } of numbered) numbers[place] = no
  }
  const statement = ends.some(({ outcome }) => outcome.usage.length > 0) ? endWithUsage : endPlain
  if (!areTied) note(await db.write<Numbered>(statement, [JSON.stringify(rows)]))
  if (left().length > 0) note(await endTiedRuns(db, endTied, left()))
  const refused = left().filter(({ claim }) => claim !== null)
  if (refused.length > 0) {
    const asked = refused.map(({ place, seq, claim }) => ({ place, seq, claim }))
    note(await db.write<Numbered>({ name: 'ended-earlier', text: earlierText }, [JSON.stringify(asked)]))
  }
  return numbers
}

function endRow({ run, outcome }: End, place: number) {
  return {
    place,
    seq: run.seq,
    flow_id: run.flowId,
    claim: run.claim ?? null,
    status: outcome.status,
    started_at: outcome.startedAt,
    finished_at: outcome.finishedAt,
    nodes: JSON.stringify(outcome.nodesWithOutput),
    error: outcome.error,
    steps: outcome.steps,
    messages: outcome.messages.map((message, order) => ({
      id: storableText(message.id),
      place: order,
      session: storableText(message.session),
      created_at: message.createdAt,
      sender: storableText(message.sender),
      text: storableText(message.text),
      long: message.long ?? null
    })),
    ...(outcome.usage.length > 0 && { usage: outcome.usage })
  }
}
