import { DatabaseSync } from 'node:sqlite'
import { NEVER } from '../waits.ts'
import { databasePath } from './file/database-file.ts'

/** What must not be found in any store, whatever was done to it and wherever it was killed. */
const FAULTS = {
  'a wait does not count the open children that it has': `
    SELECT w.run_seq FROM waits w WHERE w.kind = 'children' AND (
      w.children_left <> (SELECT count(*) FROM queue q WHERE q.awaited_by = w.no)
      OR w.children_in_line <> (SELECT count(*) FROM queue q WHERE q.awaited_by = w.no AND q.state = 'in line'))`,
  'children are in line, and nobody gives them a turn': `
    SELECT run_seq FROM waits WHERE kind = 'children' AND state = 'open' AND ended_at IS NULL
      AND children_in_line > 0 AND children_in_line = children_left`,
  'a wait has ended and does not say so': `
    SELECT run_seq FROM waits WHERE kind = 'children' AND state = 'open' AND (ended_at IS NULL) =
      (children_left = 0 OR (stops_on_failure = 1 AND children_failed > 0))`,
  'a parked run is not due although all that it waited for has ended': `
    SELECT q.seq FROM queue q WHERE q.due_at >= ${NEVER} AND q.is_waiting = 1
      AND NOT EXISTS (SELECT 1 FROM waits w WHERE w.run_seq = q.seq AND w.ended_at IS NULL)`,
  'children that nobody waits for any more are parked': `
    SELECT w.run_seq FROM waits w CROSS JOIN queue q ON q.awaited_by = w.no
    WHERE w.state = 'over' AND (q.due_at >= ${NEVER} OR q.state IN ('paused', 'in line'))
      AND NOT EXISTS (SELECT 1 FROM releases r WHERE r.awaited_by = w.no)`,
  'a run has ended and is open': 'SELECT q.seq FROM queue q CROSS JOIN outcomes o ON o.seq = q.seq',
  'an open child has no row': `
    SELECT c.seq FROM children c WHERE NOT EXISTS (SELECT 1 FROM outcomes o WHERE o.seq = c.seq)
      AND NOT EXISTS (SELECT 1 FROM queue q WHERE q.seq = c.seq)`,
  'a wait is open of a run that has ended': `
    SELECT w.run_seq FROM waits w CROSS JOIN outcomes o ON o.seq = w.run_seq WHERE w.state = 'open'`
}

/** Of the store in this folder, which may be open. */
export function familyFaults(folder: string): string[] {
  const db = new DatabaseSync(databasePath(folder), { readOnly: true })
  try {
    return Object.entries(FAULTS).flatMap(([fault, sql]) =>
      db
        .prepare(sql)
        .all()
        .map((row) => `${fault}: ${Object.values(row)[0]}`)
    )
  } finally {
    db.close()
  }
}
