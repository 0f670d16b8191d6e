import type { DatabaseSync } from 'node:sqlite'
import type { StoredCounter } from '../file/stored-counter.ts'

/** Pieces of long values that are deleted in one commit: half a megabyte each. */
const MOST_PIECES = 16

/** Deletes runs with all that belongs to them. To be called inside a batch. */
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
    db.prepare('DELETE FROM test_documents WHERE run_seq = ?'),
    db.prepare('DELETE FROM waits WHERE run_seq = ?'),
    db.prepare('DELETE FROM kept_changes WHERE run_seq = ?'),
    db.prepare('DELETE FROM children WHERE seq = ?')
  ]
  const childOf = (seq: number, endedBefore: number) =>
    (endedChild.get(seq, endedBefore) as { seq: number } | undefined)?.seq
  const deleteRun = db.prepare('DELETE FROM runs WHERE seq = ? RETURNING is_child')

  /** Its children first, so that one with many of them goes over several slices; then the pieces, for the same reason. */
  function deleteAll(seq: number, budget: Budget): boolean {
    const { endedBefore } = budget
    for (let child = childOf(seq, endedBefore); child !== undefined; child = childOf(seq, endedBefore)) {
      if (!deleteAll(child, budget)) return false
    }
    if (budget.runs === 0) return false
    budget.pieces -= Number(deletePieces.run(seq, budget.pieces).changes)
    if (budget.pieces === 0) return false
    budget.runs--
    for (const deletion of deletions) deletion.run(seq)
    const { is_child } = deleteRun.get(seq) as { is_child: 1 | null }
    if (is_child === null) ended.add(-1)
    return true
  }

  /** As many as there is room for, and no more than a few large ones. */
  return (seqs: readonly number[], room: number, endedBefore: number): { gone: number; isAll: boolean } => {
    const budget = { runs: room, pieces: MOST_PIECES, endedBefore }
    const isAll = seqs.every((seq) => deleteAll(seq, budget))
    return { gone: room - budget.runs, isAll }
  }
}

/** What is left to delete in one commit. */
interface Budget {
  runs: number
  pieces: number
  /** Children that ended later stay, as those do that are open. */
  readonly endedBefore: number
}
