import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { RetentionRule } from '../store.ts'
import type { BlockTimes } from './block-times.ts'
import type { StoredCounter } from './stored-counter.ts'

/**
 * Deletes ended runs, the oldest first. Both searches start at the oldest outcome, so an open run is never
 * seen; they stop at the slice, and the one by age at the last stretch that can hold a run so old: a slice
 * with nothing to do reads at most the rows of one stretch.
 */
export function preparePrune(db: DatabaseSync, ended: StoredCounter, blockTimes: BlockTimes) {
  const oldest = db.prepare('SELECT seq FROM outcomes ORDER BY seq LIMIT ?')
  const aged = db.prepare(
    `SELECT o.seq FROM outcomes o CROSS JOIN runs r ON r.seq = o.seq
     WHERE o.seq < ? AND r.created_at < ? ORDER BY o.seq LIMIT ?`
  )
  const firstRun = db.prepare('SELECT min(seq) AS seq FROM runs')
  const deletions = [
    db.prepare('DELETE FROM outcomes WHERE seq = ?'),
    db.prepare('DELETE FROM journal WHERE run_seq = ?'),
    db.prepare('DELETE FROM messages WHERE run_seq = ?'),
    db.prepare('DELETE FROM runs WHERE seq = ?')
  ]

  function deleteRuns(seqs: readonly number[]): number {
    for (const seq of seqs) for (const deletion of deletions) deletion.run(seq)
    ended.add(-seqs.length)
    return seqs.length
  }

  function pruneByNumber(keep: number, slice: number): number {
    return deleteRuns(column(oldest, Math.min(slice, Math.max(0, ended.value - keep))))
  }

  function pruneByAge(acceptedBefore: number, slice: number): number {
    const range = blockTimes.within(undefined, acceptedBefore)
    return range === null ? 0 : deleteRuns(column(aged, range.below, acceptedBefore, slice))
  }

  /** To be called inside a batch. */
  return (rule: RetentionRule): number => {
    const { keep, acceptedBefore, slice } = rule
    let gone = keep === undefined ? 0 : pruneByNumber(keep, slice)
    if (acceptedBefore !== undefined) gone += pruneByAge(acceptedBefore, slice - gone)
    if (gone > 0) {
      const { seq } = firstRun.get() as { seq: number | null }
      blockTimes.forgetBelow(seq ?? Number.MAX_SAFE_INTEGER)
    }
    return gone
  }
}

function column(statement: StatementSync, ...parameters: number[]): number[] {
  return (statement.all(...parameters) as unknown as { seq: number }[]).map((row) => row.seq)
}
