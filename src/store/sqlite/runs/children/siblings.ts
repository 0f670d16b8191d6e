import type { DatabaseSync } from 'node:sqlite'
import type { ChildRules } from '../../../children.ts'
import type { EndStatus, RunRef } from '../../../store.ts'
import type { InternedNames } from '../../file/interned-names.ts'
import type { OpenRuns } from '../open-runs.ts'
import type { EndedRow } from '../queue-rows.ts'

/** The wait of a parent for the children of one node. */
export interface Siblings {
  readonly no: number
  readonly run_seq: number
  readonly state: 'open' | 'over'
  readonly left: number
  readonly queued: number
  readonly failed: number
  readonly stops: number
  readonly ended_at: number | null
}

const COUNTS =
  'no, run_seq, state, children_left AS left, children_queued AS queued, children_failed AS failed, stops_on_failure AS stops, ended_at'

/** No further child begins. */
export function isStopped({ stops, failed }: Siblings): boolean {
  return stops === 1 && failed > 0
}

export function isFinished(siblings: Siblings): boolean {
  return siblings.state === 'over' || siblings.left === 0 || isStopped(siblings)
}

/** So many more may begin. */
export function roomFor(siblings: Siblings, { atOnce }: ChildRules): number {
  return isStopped(siblings) ? 0 : Math.max(0, atOnce - (siblings.left - siblings.queued))
}

/** In one commit. */
const MOST_TURNS = 1_000

/** All to be called inside a batch. */
export function prepareSiblings(db: DatabaseSync, open: OpenRuns, names: InternedNames) {
  // What failed before the parent had ended, or had dropped them, is of the past when it starts others.
  const begin = db.prepare(
    `INSERT INTO waits (run_seq, node, flow, kind, state, children_left, children_queued, children_failed, stops_on_failure)
     VALUES (?1, ?2, ?3, 'children', 'open', 0, 0, 0, ?4)
     ON CONFLICT (run_seq, node) DO UPDATE SET kind = 'children', state = 'open', id = NULL, ended_at = NULL,
       children_left = coalesce(children_left, 0), children_queued = coalesce(children_queued, 0),
       children_failed = iif(state = 'open' OR ?5, coalesce(children_failed, 0), 0), stops_on_failure = ?4
     RETURNING ${COUNTS}`
  )
  const keep = db.prepare('DELETE FROM releases WHERE siblings = ?')
  const add = db.prepare(
    `UPDATE waits SET children_left = children_left + ?2, children_queued = children_queued + ?3,
       children_failed = max(0, children_failed + ?4),
       ended_at = iif(children_left + ?2 = 0 OR (stops_on_failure = 1 AND children_failed + ?4 > 0), 0, NULL)
     WHERE no = ?1 RETURNING ${COUNTS}`
  )
  const counted = db.prepare(
    `UPDATE waits SET children_left = children_left - 1, children_queued = children_queued - ?2,
       children_failed = children_failed + ?3
     WHERE no = ?1 RETURNING ${COUNTS}`
  )
  const setEnd = db.prepare('UPDATE waits SET ended_at = ? WHERE no = ?')
  const turns = db.prepare(
    'SELECT seq, flow_id AS flowId, turn FROM queue WHERE siblings = ? AND turn IS NOT NULL ORDER BY seq LIMIT ? + 0'
  )
  const countTurns = db.prepare('UPDATE waits SET children_queued = children_queued - ? WHERE no = ?')

  /** The oldest of those that wait for their turn begin. */
  function giveTurns(no: number, count: number, at: number): void {
    if (count <= 0) return
    const next = turns.all(no, Math.min(count, MOST_TURNS)) as unknown as (RunRef & { turn: number })[]
    for (const { turn, ...run } of next) open.turnCame(run, at, turn === 2)
    if (next.length > 0) countTurns.run(next.length, no)
  }

  return {
    giveTurns,

    /** `keepsFailures`: children that failed are about to go on. */
    begin(parent: RunRef, node: string, rules: ChildRules, keepsFailures = false): Siblings {
      const flow = names.numberOf(parent.flowId)
      const row = begin.get(parent.seq, node, flow, Number(rules.stopsOnFailure), Number(keepsFailures))
      const siblings = row as unknown as Siblings
      keep.run(siblings.no)
      return siblings
    },

    /** More of them are open: so many, of which so many wait for their turn; and so many fewer have failed. */
    add: ({ no }: Siblings, left: number, queued: number, failed = 0) =>
      add.get(no, left, queued, failed) as unknown as Siblings,

    /**
     * One of them has ended. The parent is made due by the one that ends the wait, and by no later one: whoever parks after
     * that finds the wait ended.
     */
    childEnded({ siblings: no, turn }: EndedRow, status: EndStatus, at: number): void {
      const row = counted.get(no, turn === null ? 0 : 1, status === 'succeeded' ? 0 : 1)
      const siblings = row as unknown as Siblings | undefined
      if (siblings === undefined || siblings.state !== 'open') return
      if (turn === null && !isStopped(siblings)) giveTurns(siblings.no, 1, at)
      if (siblings.ended_at !== null || !isFinished(siblings)) return
      setEnd.run(at, siblings.no)
      open.due(siblings.run_seq, at)
    }
  }
}

export type SiblingRows = ReturnType<typeof prepareSiblings>
