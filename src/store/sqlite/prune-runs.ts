import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { RetentionRule } from '../store.ts'
import type { BlockTimes } from './block-times.ts'
import type { StoredCounter } from './stored-counter.ts'

/** Pieces of long values that are deleted in one commit: half a megabyte each. */
const MOST_PIECES = 16

export interface Pruned {
  readonly gone: number
  /** Not all of the slice is gone yet, since some of it is large. */
  readonly hasMore: boolean
}

const NOTHING: Pruned = { gone: 0, hasMore: false }

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
    db.prepare('DELETE FROM hung_steps WHERE run_seq = ?'),
    db.prepare('DELETE FROM model_usage WHERE run_seq = ?'),
    db.prepare('DELETE FROM test_documents WHERE run_seq = ?'),
    db.prepare('DELETE FROM waits WHERE run_seq = ?'),
    db.prepare('DELETE FROM runs WHERE seq = ?')
  ]

  const deletePieces = db.prepare(
    'DELETE FROM long_values WHERE rowid IN (SELECT rowid FROM long_values WHERE run_seq = ? LIMIT ?)'
  )

  /** The pieces of a run first, so that one with many of them is deleted over several commits. */
  function deleteRuns(seqs: readonly number[]): Pruned {
    let pieces = MOST_PIECES
    let gone = 0
    for (const seq of seqs) {
      pieces -= Number(deletePieces.run(seq, pieces).changes)
      if (pieces === 0) break
      for (const deletion of deletions) deletion.run(seq)
      gone++
    }
    ended.add(-gone)
    return { gone, hasMore: gone < seqs.length }
  }

  function pruneByNumber(keep: number, slice: number): Pruned {
    return deleteRuns(column(oldest, Math.min(slice, Math.max(0, ended.value - keep))))
  }

  function pruneByAge(acceptedBefore: number, slice: number): Pruned {
    const range = blockTimes.within(undefined, acceptedBefore)
    return range === null ? NOTHING : deleteRuns(column(aged, range.below, acceptedBefore, slice))
  }

  /** To be called inside a batch. */
  return ({ keep, acceptedBefore, slice }: RetentionRule): Pruned => {
    let pruned = keep === undefined ? NOTHING : pruneByNumber(keep, slice)
    if (acceptedBefore !== undefined && !pruned.hasMore) {
      const { gone, hasMore } = pruneByAge(acceptedBefore, slice - pruned.gone)
      pruned = { gone: pruned.gone + gone, hasMore }
    }
    if (pruned.gone > 0) {
      const { seq } = firstRun.get() as { seq: number | null }
      blockTimes.forgetBelow(seq ?? Number.MAX_SAFE_INTEGER)
    }
    return pruned
  }
}

function column(statement: StatementSync, ...parameters: number[]): number[] {
  return (statement.all(...parameters) as unknown as { seq: number }[]).map((row) => row.seq)
}
