import type { DatabaseSync } from 'node:sqlite'

/** The runs above one, nearest first, by links of which this is so. */
const above = (isFollowed: string) => `
  WITH RECURSIVE above (seq) AS (
    SELECT c.parent_seq FROM children c WHERE c.seq = ?1 AND ${isFollowed}
    UNION ALL
    SELECT c.parent_seq FROM above CROSS JOIN children c ON c.seq = above.seq AND ${isFollowed}
  )`

const ABOVE = above('true')
/** Those of them whose being cancelled concerns it. */
const ABOVE_IT = above('c.on_its_own IS NULL')

/** Whether one above a run was cancelled, and the run not opened again by itself since. */
export function prepareIsCancelledAbove(db: DatabaseSync): (seq: number) => boolean {
  const find = db.prepare(
    `${ABOVE_IT} SELECT 1 FROM above CROSS JOIN outcomes o ON o.seq = above.seq WHERE o.status = 'cancelled' LIMIT 1`
  )
  return (seq) => find.get(seq) !== undefined
}

/** See ChildStore.isOrphaned. */
export function prepareIsOrphaned(db: DatabaseSync): (seq: number) => boolean {
  // A wait that is gone was deleted with the parent.
  const isDropped = db.prepare(
    `SELECT 1 FROM queue q LEFT JOIN waits w ON w.no = q.awaited_by
     WHERE q.seq = ? AND q.awaited_by IS NOT NULL AND w.state IS NOT 'open'`
  )
  const isCancelledAbove = prepareIsCancelledAbove(db)
  return (seq) => isDropped.get(seq) !== undefined || isCancelledAbove(seq)
}

/** Whether one run was started by another one, or by one that is below that. */
export function prepareIsBelow(db: DatabaseSync): (seq: number, above: number) => boolean {
  const isBelow = db.prepare(`${ABOVE} SELECT 1 FROM above WHERE seq = ?2 LIMIT 1`)
  return (seq, above) => isBelow.get(seq, above) !== undefined
}
