import type { NewMessage } from '../../message-store.ts'
import type { RunRef } from '../../store.ts'
import { NEVER } from '../../waits.ts'
import type { Database } from '../database/database.ts'
import { changeJobs, isToCancel } from '../queue/job-rows.ts'
import { isWoken, mayWrite, sqlGiveBack, sqlParkUnlessDue } from '../queue/job-states.ts'
import { guard, nextNumber } from './change-numbers.ts'
import { sqlLockIsOrphaned } from './children/orphaned.ts'
import { printed, printedRows } from './print-messages.ts'
import { sqlHasEnded } from './waits/wait-rows.ts'

export interface Parking {
  readonly run: RunRef
  readonly text: string
  /** Null where no time wakes the run. */
  readonly dueAt: number | null
  /** Nodes whose waits may have ended meanwhile. */
  readonly awaits: readonly string[]
  /** What its steps have said, as far as it is not there yet. */
  readonly printed?: readonly NewMessage[]
}

interface Parked {
  readonly no: number
  /** One of its waits has ended already. */
  readonly isDue: boolean
}

const waits = `(g.ended_at IS NULL AND NOT ${isToCancel('j')})`

/**
 * A parked run's job waits like a new one, not before its time; `data` says that it is parked. Taking it up again is no
 * further attempt for pg-boss, since it has not been started: only the dead are counted. One that no time wakes is blocked,
 * so that nobody passes over it who looks for work.
 *
 * Rows of waits are locked before jobs, here and by whoever ends a wait: what ends now is either seen here, or finds the
 * run parked. Both in the order of their keys: these come in the order of their runs and nodes. Whether a wait has ended is
 * looked at after its row was locked; a WHERE would be looked at before.
 *
 * The end of a parent makes those of its children due that are parked by then. One that parks later is due at once: it looks at the
 * wait of its parent, which that end has closed, and has it locked until it is parked. So is one that is to be cancelled.
 */
const parkText = (prints: boolean) => `
  WITH ${guard},
  sent AS MATERIALIZED (
    SELECT g.*, (
      SELECT min(coalesce(l.ended_at, 0)) FILTER (WHERE l.has_ended) FROM (
        SELECT w.ended_at, ${sqlHasEnded('w')} AS has_ended FROM millrace.waits w
        WHERE w.run_seq = g.seq AND w.node = ANY (ARRAY(SELECT json_array_elements_text(g.awaits)))
        ORDER BY w.node FOR SHARE
      ) l
    ) AS wait_ended_at, ${sqlLockIsOrphaned('g.seq', 'g.flow_id')} AS is_orphaned
    FROM json_to_recordset($1::json) AS g (
      place integer, seq bigint, flow_id text, claim text, entry text, due_at bigint, awaits json${prints ? ', messages json' : ''}
    )
  ),
  given AS MATERIALIZED (
    SELECT s.*, least(s.wait_ended_at, CASE WHEN s.is_orphaned THEN 0 END) AS ended_at FROM sent s ORDER BY flow_id, seq
  ),
  parked AS (
    ${changeJobs({
      set: `${sqlGiveBack}, ${sqlParkUnlessDue({ waits, dueAt: 'g.due_at', endedAt: 'g.ended_at' })}`,
      from: 'given g',
      seq: 'g.seq',
      flowId: 'g.flow_id',
      where: mayWrite('park', 'j', 'g.claim'),
      returning: `g.*, ${isWoken('j')} AS is_due`
    })}
  ),
  numbered AS MATERIALIZED (
    SELECT ${nextNumber} AS no, p.* FROM guard, (SELECT * FROM parked ORDER BY place) p
  ),
  kept AS (
    INSERT INTO millrace.journal (no, run_seq, flow_id, entry) SELECT no, seq, flow_id, entry FROM numbered
  )${prints ? `,${printed}` : ''}
  SELECT place, no, is_due AS "isDue" FROM numbered`

const park = {
  silent: { name: 'park', text: parkText(false) },
  prints: { name: 'park-prints', text: parkText(true) }
}

export async function parkRuns(db: Database, parkings: readonly Parking[]): Promise<(Parked | null)[]> {
  const parked: (Parked | null)[] = parkings.map(() => null)
  const given = parkings.map((each, place) => {
    const { run, text, dueAt, awaits } = each
    const { seq, flowId, claim = null } = run
    const row = { place, seq, flow_id: flowId, claim, entry: text, due_at: dueAt ?? NEVER, awaits }
    return { ...row, ...printedRows(each) }
  })
  const statement = given.some((row) => 'messages' in row) ? park.prints : park.silent
  const rows = await db.write<Parked & { place: number }>(statement, [
    JSON.stringify(given.sort((a, b) => a.seq - b.seq))
  ])
  for (const { place, no, isDue } of rows) parked[place] = { no, isDue }
  return parked
}
