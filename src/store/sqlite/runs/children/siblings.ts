import type { DatabaseSync } from 'node:sqlite'
import type { ChildRules } from '../../../children.ts'
import type { EndStatus, RunRef } from '../../../store.ts'
import type { InternedNames } from '../../file/interned-names.ts'
import type { OpenRuns } from '../open-runs.ts'
import { IS_IN_LINE, type StoredPlace } from '../queue-rows.ts'

/** The wait of a parent for the children of one node. */
interface SiblingWait {
  readonly no: number
  readonly run_seq: number
  readonly state: 'open' | 'over'
  readonly left: number
  readonly inLine: number
  readonly failed: number
  readonly stops: number
  readonly ended_at: number | null
}

const COUNTS =
  'no, run_seq, state, children_left AS left, children_in_line AS inLine, children_failed AS failed, stops_on_failure AS stops, ended_at'

interface InLine extends RunRef {
  readonly beginsPaused: 0 | 1
}

/** No further child begins. */
function isStopped({ stops, failed }: SiblingWait): boolean {
  return stops === 1 && failed > 0
}

function isFinished(siblings: SiblingWait): boolean {
  return siblings.state === 'over' || siblings.left === 0 || isStopped(siblings)
}

/** So many more may begin. */
export function roomFor(siblings: SiblingWait, { atOnce }: ChildRules): number {
  return isStopped(siblings) ? 0 : Math.max(0, atOnce - (siblings.left - siblings.inLine))
}

/** In one commit. */
const MOST_TURNS = 1_000

/** All to be called inside a batch. */
export function prepareSiblings(db: DatabaseSync, open: OpenRuns, names: InternedNames) {
  // What failed before the parent had ended, or had dropped them, is of the past when it starts others.
  const begin = db.prepare(
    `INSERT INTO waits (run_seq, node, flow, kind, state, children_left, children_in_line, children_failed, stops_on_failure)
     VALUES (?1, ?2, ?3, 'children', 'open', 0, 0, 0, ?4)
     ON CONFLICT (run_seq, node) DO UPDATE SET kind = 'children', state = 'open', id = NULL, ended_at = NULL,
       children_left = coalesce(children_left, 0), children_in_line = coalesce(children_in_line, 0),
       children_failed = iif(state = 'open' OR ?5, coalesce(children_failed, 0), 0), stops_on_failure = ?4
     RETURNING ${COUNTS}`
  )
  const keep = db.prepare('DELETE FROM releases WHERE awaited_by = ?')
  const add = db.prepare(
    `UPDATE waits SET children_left = children_left + ?2, children_in_line = children_in_line + ?3,
       children_failed = max(0, children_failed + ?4),
       ended_at = iif(children_left + ?2 = 0 OR (stops_on_failure = 1 AND children_failed + ?4 > 0), 0, NULL)
     WHERE no = ?1 RETURNING ${COUNTS}`
  )
  const counted = db.prepare(
    `UPDATE waits SET children_left = children_left - 1, children_in_line = children_in_line - ?2,
       children_failed = children_failed + ?3
     WHERE no = ?1 RETURNING ${COUNTS}`
  )
  const setEnd = db.prepare('UPDATE waits SET ended_at = ? WHERE no = ?')
  const turns = db.prepare(
    `SELECT seq, flow_id AS flowId, begins_paused AS beginsPaused FROM queue
     WHERE awaited_by = ? AND ${IS_IN_LINE} ORDER BY seq LIMIT ? + 0`
  )
  const countTurns = db.prepare('UPDATE waits SET children_in_line = children_in_line - ? WHERE no = ?')

  /** The oldest of those that are in line begin. */
  function giveTurns(no: number, count: number, at: number): void {
    if (count <= 0) return
    const next = turns.all(no, Math.min(count, MOST_TURNS)) as unknown as InLine[]
    for (const run of next) open.turnCame(run, at, run.beginsPaused === 1)
    if (next.length > 0) countTurns.run(next.length, no)
  }

  return {
    giveTurns,

    /** `keepsFailures`: children that failed are about to go on. */
    begin(parent: RunRef, node: string, rules: ChildRules, keepsFailures = false): SiblingWait {
      const flow = names.numberOf(parent.flowId)
      const row = begin.get(parent.seq, node, flow, Number(rules.stopsOnFailure), Number(keepsFailures))
      const siblings = row as unknown as SiblingWait
      keep.run(siblings.no)
      return siblings
    },

    /** More of them are open: so many, of which so many are in line; and so many fewer have failed. */
    add: ({ no }: SiblingWait, left: number, inLine: number, failed = 0) =>
      add.get(no, left, inLine, failed) as unknown as SiblingWait,

    /**
     * One of them has ended. The parent is made due by the one that ends the wait, and by no later one: whoever parks after
     * that finds the wait ended.
     */
    childEnded(no: number, was: StoredPlace['state'], status: EndStatus, at: number): void {
      const hadTurn = was !== 'in line'
      const row = counted.get(no, Number(!hadTurn), status === 'succeeded' ? 0 : 1)
      const siblings = row as unknown as SiblingWait | undefined
      if (siblings === undefined || siblings.state !== 'open') return
      if (hadTurn && !isStopped(siblings)) giveTurns(siblings.no, 1, at)
      if (siblings.ended_at !== null || !isFinished(siblings)) return
      setEnd.run(at, siblings.no)
      open.due(siblings.run_seq, at)
    }
  }
}

export type SiblingRows = ReturnType<typeof prepareSiblings>
