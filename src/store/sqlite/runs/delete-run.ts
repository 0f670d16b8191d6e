import type { DatabaseSync } from 'node:sqlite'
import type { StoredCounter } from '../file/stored-counter.ts'

/** Pieces of long values that are deleted in one commit: half a megabyte each. */
const MOST_PIECES = 16

/**
 * Deletes runs with all that belongs to them. To be called inside a batch.
 *
 * A run goes before its children and its long values, of which there may be more than one commit takes: were it there with half of
 * them, a retry would do again what had been done. What is left is written down with it and follows, also after a crash.
 */
export function prepareDelete(db: DatabaseSync, ended: StoredCounter) {
  const endedChild = db.prepare(
    `SELECT c.seq FROM children c CROSS JOIN outcomes o ON o.seq = c.seq
     WHERE c.parent_seq = ? AND o.finished_at < ? ORDER BY c.seq LIMIT 1`
  )
  // `+ 0`: see run-changes.ts.
  const deletePieces = db.prepare(
    'DELETE FROM long_values WHERE rowid IN (SELECT rowid FROM long_values WHERE run_seq = ? LIMIT ? + 0)'
  )
  const deletions = [
    db.prepare('DELETE FROM outcomes WHERE seq = ?'),
    db.prepare('DELETE FROM journal WHERE run_seq = ?'),
    db.prepare('DELETE FROM messages WHERE run_seq = ?'),
    db.prepare('DELETE FROM hung_steps WHERE run_seq = ?'),
    db.prepare('DELETE FROM model_usage WHERE run_seq = ?'),
    db.prepare('DELETE FROM run_costs WHERE run_seq = ?'),
    db.prepare('DELETE FROM test_documents WHERE run_seq = ?'),
    db.prepare('DELETE FROM waits WHERE run_seq = ?'),
    db.prepare('DELETE FROM kept_changes WHERE run_seq = ?'),
    db.prepare(
      'UPDATE files SET loose_since = created_at WHERE id IN (SELECT file_id FROM file_uses WHERE run_seq = ?)'
    ),
    db.prepare('DELETE FROM file_uses WHERE run_seq = ?'),
    db.prepare('DELETE FROM sent_files WHERE run_seq = ?'),
    db.prepare('DELETE FROM children WHERE seq = ?')
  ]
  const deleteRun = db.prepare('DELETE FROM runs WHERE seq = ? RETURNING is_child')
  const note = db.prepare('INSERT OR REPLACE INTO deletions (seq, ended_before) VALUES (?, ?)')
  const noted = db.prepare('SELECT seq, ended_before AS endedBefore FROM deletions LIMIT 1')
  const forget = db.prepare('DELETE FROM deletions WHERE seq = ?')

  const childOf = ({ seq, endedBefore }: Deletion) =>
    (endedChild.get(seq, endedBefore) as { seq: number } | undefined)?.seq

  function deleteOne(deletion: Deletion, budget: Budget): void {
    const { seq, endedBefore } = deletion
    budget.runs--
    for (const each of deletions) each.run(seq)
    const { is_child } = deleteRun.get(seq) as { is_child: 1 | null }
    if (is_child === null) ended.add(-1)
    if (!arePiecesGone(seq, budget) || childOf(deletion) !== undefined) note.run(seq, endedBefore)
  }

  function arePiecesGone(seq: number, budget: Budget): boolean {
    budget.pieces -= Number(deletePieces.run(seq, budget.pieces).changes)
    return budget.pieces > 0
  }

  function deleteRest(deletion: Deletion, budget: Budget): boolean {
    if (!arePiecesGone(deletion.seq, budget)) return false
    for (let child = childOf(deletion); child !== undefined; child = childOf(deletion)) {
      if (budget.runs === 0 || budget.pieces === 0) return false
      deleteOne({ ...deletion, seq: child }, budget)
    }
    return true
  }

  const nextNoted = () => noted.get() as unknown as Deletion | undefined

  function goOn(budget: Budget): boolean {
    for (let next = nextNoted(); next !== undefined; next = nextNoted()) {
      if (!deleteRest(next, budget)) return false
      forget.run(next.seq)
    }
    return true
  }

  function deleteAll(seqs: readonly number[], endedBefore: number, budget: Budget): boolean {
    return seqs.every((seq) => {
      if (budget.runs === 0) return false
      deleteOne({ seq, endedBefore }, budget)
      return goOn(budget)
    })
  }

  return {
    /** Something is left of runs that were deleted. */
    isLeft: () => nextNoted() !== undefined,

    /** As much of that as there is room for; returns how many runs went. */
    goOn(room: number): number {
      const budget = { runs: room, pieces: MOST_PIECES }
      goOn(budget)
      return room - budget.runs
    },

    /** As many as there is room for, and no more than a few large ones. Children that ended later stay, as those do that are open. */
    begin(seqs: readonly number[], room: number, endedBefore: number): { gone: number; isAll: boolean } {
      const budget = { runs: room, pieces: MOST_PIECES }
      const isAll = deleteAll(seqs, endedBefore, budget)
      return { gone: room - budget.runs, isAll }
    }
  }
}

/** What is left to delete in one commit. */
interface Budget {
  runs: number
  pieces: number
}

interface Deletion {
  readonly seq: number
  readonly endedBefore: number
}
