import type { DatabaseSync } from 'node:sqlite'

/**
 * What other transitions of a run do to its waits. To be called inside a batch, and only for runs that have a row in
 * `queue`: one that has waited, or was woken early, always has one, so all others pay nothing.
 */
export function prepareWaitRows(db: DatabaseSync) {
  const close = db.prepare(
    "UPDATE waits SET state = 'over', ended_at = ?2 WHERE run_seq = ?1 AND state = 'open'"
  )
  const keepEntries = db.prepare(
    `UPDATE waits SET entry = coalesce(entry, (SELECT j.entry FROM journal j WHERE j.no = entry_no))
     WHERE run_seq = ? AND state = 'woken' AND id IS NULL`
  )
  const forget = db.prepare(
    `DELETE FROM waits WHERE run_seq = ?1 AND kind = 'call' AND id IS NOT NULL
     AND node IN (SELECT value FROM json_each(?2))`
  )
  const firstEnd = db.prepare(
    `SELECT min(w.ended_at) AS at FROM json_each(?2) awaited
     CROSS JOIN waits w ON w.run_seq = ?1 AND w.node = awaited.value WHERE w.ended_at IS NOT NULL`
  )
  const findOpen = db.prepare('SELECT 1 FROM waits WHERE run_seq = ? AND ended_at IS NULL LIMIT 1')

  return {
    runEnded: (seq: number, at: number): void => void close.run(seq, at),

    /** Its journal begins anew: what woke it before it came to wait must not go with the old one. */
    runReopened: (seq: number, calledAnew: readonly string[] = []): void => {
      keepEntries.run(seq)
      if (calledAnew.length > 0) forget.run(seq, JSON.stringify(calledAnew))
    },

    hasOpen: (seq: number): boolean => findOpen.get(seq) !== undefined,

    /** When the first of these waits came to its end; null while all are open. */
    firstEnd: (seq: number, nodes: readonly string[]): number | null =>
      (firstEnd.get(seq, JSON.stringify(nodes)) as { at: number | null }).at
  }
}

export type WaitRows = ReturnType<typeof prepareWaitRows>
