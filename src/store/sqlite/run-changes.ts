import type { DatabaseSync } from 'node:sqlite'
import type { Change } from '../store.ts'
import { createPauser } from './pauser.ts'
import {
  type AcceptedRow,
  acceptedColumns,
  acceptedRun,
  type OutcomeRow,
  outcomeColumns,
  storedOutcome
} from './run-rows.ts'
import { stretchOf } from './stretches.ts'

interface Found {
  readonly no: number
  readonly kind: Change['kind']
  readonly run_seq: number
}

interface EndedRow extends OutcomeRow {
  readonly id: string
}

/**
 * The three kinds of change of a flow, merged by number. Goes by stretches, like every search for a flow. `+
 * 0`: SQLite looks at a bare parameter of LIMIT while it plans, and so plans anew at every call (25 µs).
 */
export function prepareChanges(db: DatabaseSync) {
  const inStretch = db.prepare(
    `SELECT seq AS no, 'accepted' AS kind, seq AS run_seq FROM runs
       WHERE stretch = ?1 AND flow_id = ?2 AND seq > ?3
     UNION ALL
     SELECT no, 'journal', run_seq FROM journal WHERE stretch = ?1 AND flow_id = ?2 AND no > ?3
     UNION ALL
     SELECT no, 'ended', seq FROM outcomes WHERE stretch = ?1 AND flow_id = ?2 AND no > ?3
     ORDER BY no LIMIT ?4 + 0`
  )
  const nextStretch = db.prepare(
    `SELECT min(stretch) AS stretch FROM (
       SELECT min(stretch) AS stretch FROM runs WHERE stretch >= ?1
       UNION ALL
       SELECT min(stretch) FROM journal WHERE stretch >= ?1
       UNION ALL
       SELECT min(stretch) FROM outcomes WHERE stretch >= ?1)`
  )
  const details = prepareDetails(db)

  return async (flowId: string, after: number, limit: number): Promise<Change[]> => {
    const changes: Change[] = []
    const pause = createPauser()
    let stretch = next(stretchOf(after + 1))
    while (stretch !== null && changes.length < limit) {
      const found = inStretch.all(stretch, flowId, after, limit - changes.length) as unknown as Found[]
      for (const each of found) changes.push(details(each))
      await pause()
      stretch = next(stretch + 1)
    }
    return changes
  }

  function next(from: number): number | null {
    return (nextStretch.get(from) as { stretch: number | null }).stretch
  }
}

function prepareDetails(db: DatabaseSync) {
  const run = db.prepare(`SELECT ${acceptedColumns} FROM runs r WHERE r.seq = ?`)
  const journal = db.prepare(
    'SELECT j.entry, r.id FROM journal j JOIN runs r ON r.seq = j.run_seq WHERE j.no = ?'
  )
  const outcome = db.prepare(
    `SELECT r.id, ${outcomeColumns} FROM outcomes o JOIN runs r ON r.seq = o.seq WHERE o.seq = ?`
  )

  return ({ no, kind, run_seq }: Found): Change => {
    if (kind === 'accepted') return { kind, no, run: acceptedRun(run.get(run_seq) as unknown as AcceptedRow) }
    if (kind === 'journal') {
      const row = journal.get(no) as { entry: string; id: string }
      return { kind, no, runId: row.id, entry: row.entry }
    }
    const row = outcome.get(run_seq) as unknown as EndedRow
    return { kind, no, runId: row.id, outcome: storedOutcome(row)! }
  }
}
