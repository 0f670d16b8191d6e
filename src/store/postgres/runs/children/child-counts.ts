import type { ChildRules } from '../../../children.ts'
import type { EndStatus, RunRef } from '../../../store.ts'
import type { Query } from '../../database/database.ts'
import { allNews, type News, NO_NEWS } from '../../database/news.ts'
import { changeJobs, jobOf, sqlBeginsPaused } from '../../queue/job-rows.ts'
import { isParked, mayBe, sqlGiveTurn, sqlMakeDue } from '../../queue/job-states.ts'
import { sqlLockIfPaused } from '../../queue/paused-jobs.ts'
import { sqlIsStopped } from '../waits/wait-rows.ts'

/** The wait of a parent for the children of one node, whose row is locked by this transaction. */
interface Siblings {
  readonly run_seq: number
  readonly node: string
  readonly left: number
  /** Of those that are left, so many are in line. */
  readonly inLine: number
  readonly is_stopped: boolean
}

const counts = `w.run_seq, w.node, w.children_left AS left, w.children_in_line AS "inLine", ${sqlIsStopped('w')} AS is_stopped`

/** So many more may begin. */
export function roomFor({ left, inLine, is_stopped }: Siblings, { atOnce }: ChildRules): number {
  return is_stopped ? 0 : Math.max(0, atOnce - (left - inLine))
}

/** What failed before the parent had ended, or had dropped them, is of the past when it starts others; not when those go on ($5). */
const beginText = `
  INSERT INTO millrace.waits AS w (run_seq, node, flow_id, kind, state, children_left, children_in_line, children_failed, stops_on_failure)
  VALUES ($1, $2, $3, 'children', 'open', 0, 0, 0, $4)
  ON CONFLICT (run_seq, node) DO UPDATE SET kind = 'children', state = 'open', id = NULL, ended_at = NULL,
    children_left = coalesce(w.children_left, 0), children_in_line = coalesce(w.children_in_line, 0),
    children_failed = CASE WHEN w.state = 'open' OR $5 THEN coalesce(w.children_failed, 0) ELSE 0 END,
    stops_on_failure = $4
  RETURNING ${counts}`

export async function beginSiblings(
  query: Query,
  parent: RunRef,
  node: string,
  rules: ChildRules,
  keepsFailures: boolean
): Promise<Siblings> {
  const [row] = await query<Siblings>({ name: 'begin-siblings', text: beginText }, [
    parent.seq,
    node,
    parent.flowId,
    Number(rules.stopsOnFailure),
    keepsFailures
  ])
  return row!
}

/** More of them are open; `$6` is the smallest index of those that are in line. */
const addText = `
  UPDATE millrace.waits w SET children_left = children_left + $3, children_in_line = children_in_line + $4,
    children_failed = greatest(0, children_failed + $5),
    turn_from = CASE WHEN w.children_in_line = 0 THEN $6 ELSE least(coalesce(w.turn_from, 0), $6) END,
    ended_at = CASE WHEN children_left + $3 = 0 OR (stops_on_failure = 1 AND children_failed + $5 > 0) THEN 0 END
  WHERE w.run_seq = $1 AND w.node = $2
  RETURNING ${counts}`

interface Added {
  readonly left: number
  /** Indexes of those that are in line. */
  readonly inLine: readonly number[]
  readonly failed?: number
}

export async function addSiblings(
  query: Query,
  { run_seq, node }: Siblings,
  { left, inLine, failed = 0 }: Added
): Promise<Siblings> {
  const from = inLine.length === 0 ? null : Math.min(...inLine)
  const values = [run_seq, node, left, inLine.length, failed, from]
  const [row] = await query<Siblings>({ name: 'add-siblings', text: addText }, values)
  return row!
}

/** The first of those that are in line begin, or are paused where their flow is. */
const turnsText = `
  WITH asked AS MATERIALIZED (
    SELECT a.*, w.turn_from FROM unnest($1::bigint[], $2::text[], $3::integer[], $4::bigint[]) AS a (run_seq, node, turns, at)
    JOIN millrace.waits w ON w.run_seq = a.run_seq AND w.node = a.node
  ),
  next AS MATERIALIZED (
    SELECT a.run_seq, a.node, a.at, n.*, NOT n.begins AND ${sqlLockIfPaused('n.flow_id')} AS is_paused
    FROM asked a CROSS JOIN LATERAL (
      SELECT c.seq, r.flow_id, c.child_index, ${sqlBeginsPaused('j')} AS begins
      FROM millrace.children c JOIN millrace.runs r ON r.seq = c.seq
      JOIN ${jobOf('c.seq', 'r.flow_id')}
      WHERE c.parent_seq = a.run_seq AND c.node = a.node AND c.child_index >= coalesce(a.turn_from, 0) AND ${mayBe('giveTurn', 'j')}
      ORDER BY c.child_index, c.seq LIMIT a.turns
    ) n
    ORDER BY n.flow_id, n.seq
  ),
  begun AS (
    ${changeJobs({
      set: sqlGiveTurn('n.at', 'n.is_paused'),
      from: 'next n',
      seq: 'n.seq',
      flowId: 'n.flow_id',
      where: mayBe('giveTurn', 'j'),
      returning: 'n.*'
    })}
  ),
  counted AS (
    UPDATE millrace.waits w SET children_in_line = children_in_line - b.turns, turn_from = b.last
    FROM (SELECT run_seq, node, count(*) AS turns, max(child_index) AS last FROM begun GROUP BY run_seq, node) b
    WHERE w.run_seq = b.run_seq AND w.node = b.node
  )
  SELECT DISTINCT flow_id FROM begun WHERE NOT is_paused`

interface Turns {
  readonly siblings: Pick<Siblings, 'run_seq' | 'node'>
  readonly count: number
  readonly at: number
}

export async function giveTurns(query: Query, turns: readonly Turns[]): Promise<News> {
  const given = turns.filter(({ count }) => count > 0)
  if (given.length === 0) return NO_NEWS
  const rows = await query<{ flow_id: string }>({ name: 'give-turns', text: turnsText }, [
    given.map(({ siblings }) => siblings.run_seq),
    given.map(({ siblings }) => siblings.node),
    given.map(({ count }) => count),
    given.map(({ at }) => at)
  ])
  return { work: rows.map(({ flow_id }) => flow_id), cancel: [] }
}

const countText = `
  WITH ended AS MATERIALIZED (
    SELECT c.parent_seq, c.node, count(*) AS ended, count(*) FILTER (WHERE e.failed) AS failed,
      count(*) FILTER (WHERE e.in_line) AS in_line, max(e.at) AS at
    FROM unnest($1::bigint[], $2::boolean[], $3::boolean[], $4::bigint[]) AS e (seq, failed, in_line, at)
    JOIN millrace.children c ON c.seq = e.seq GROUP BY c.parent_seq, c.node
  )
  UPDATE millrace.waits w SET children_left = greatest(0, children_left - e.ended),
    children_in_line = greatest(0, children_in_line - e.in_line), children_failed = children_failed + e.failed
  FROM ended e WHERE w.run_seq = e.parent_seq AND w.node = e.node
  RETURNING ${counts}, w.flow_id, w.state, w.ended_at IS NOT NULL AS had_ended, e.ended - e.in_line AS freed, e.at`

interface CountedRow extends Siblings {
  readonly flow_id: string
  readonly state: 'open' | 'over'
  readonly had_ended: boolean
  /** So many of those that have ended were not in line. */
  readonly freed: number
  readonly at: number
}

interface EndedChild {
  readonly seq: number
  readonly status: EndStatus
  readonly was_in_line: boolean
  readonly finished_at: number
}

/**
 * Counts children that have ended, gives others their turn, and makes parents due whose wait has ended by that: once, and not by
 * a later end. Whoever parks after that finds the wait ended. Of one that is not parked whoever executes it is told, who may be
 * another process, and busy with another branch for long.
 */
export async function countEnded(query: Query, ended: readonly EndedChild[]): Promise<News> {
  if (ended.length === 0) return NO_NEWS
  const rows = await query<CountedRow>({ name: 'count-ended', text: countText }, [
    ended.map(({ seq }) => seq),
    ended.map(({ status }) => status !== 'succeeded'),
    ended.map(({ was_in_line }) => was_in_line),
    ended.map(({ finished_at }) => finished_at)
  ])
  const open = rows.filter(({ state }) => state === 'open')
  const turns = open.map((row) => ({ siblings: row, count: turnsOf(row), at: row.at }))
  const over = open.filter(({ left, is_stopped, had_ended }) => !had_ended && (left === 0 || is_stopped))
  return allNews(await giveTurns(query, turns), await wakeParents(query, over))
}

function turnsOf({ is_stopped, freed, inLine }: CountedRow): number {
  return is_stopped ? 0 : Math.min(freed, inLine)
}

const wakeText = `
  WITH over AS MATERIALIZED (
    SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[]) AS o (run_seq, node, flow_id, at)
    ORDER BY flow_id, run_seq
  ),
  noted AS (
    UPDATE millrace.waits w SET ended_at = o.at FROM over o WHERE w.run_seq = o.run_seq AND w.node = o.node
  ),
  due AS (
    ${changeJobs({
      set: sqlMakeDue('o.at'),
      from: 'over o',
      seq: 'o.run_seq',
      flowId: 'o.flow_id',
      where: isParked('j'),
      returning: 'o.run_seq'
    })}
  )
  SELECT DISTINCT o.flow_id, r.id, o.run_seq IN (SELECT run_seq FROM due) AS is_due
  FROM over o JOIN millrace.runs r ON r.seq = o.run_seq`

interface OverRow {
  readonly flow_id: string
  readonly id: string
  /** It was parked. */
  readonly is_due: boolean
}

async function wakeParents(query: Query, over: readonly CountedRow[]): Promise<News> {
  if (over.length === 0) return NO_NEWS
  const rows = await query<OverRow>({ name: 'wake-parents', text: wakeText }, [
    over.map(({ run_seq }) => run_seq),
    over.map(({ node }) => node),
    over.map(({ flow_id }) => flow_id),
    over.map(({ at }) => at)
  ])
  const due = rows.filter(({ is_due }) => is_due)
  const woken = rows.filter(({ is_due }) => !is_due).map(({ id }) => id)
  return { work: due.map(({ flow_id }) => flow_id), cancel: [], woken }
}
