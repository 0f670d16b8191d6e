import type { DatabaseSync } from 'node:sqlite'
import type { RunRef } from '../store.ts'
import type { StoredCounter } from './stored-counter.ts'

/**
 * The transitions of a run that write its journal. The journal stays after the end, until the run is deleted.
 */
export function prepareJournal(db: DatabaseSync, numbers: StoredCounter, ended: StoredCounter) {
  const isOpen = db.prepare('SELECT 1 FROM queue WHERE seq = ? AND flow_id = ?')
  const setDue = db.prepare('UPDATE queue SET due_at = ? WHERE seq = ? AND flow_id = ?')
  const append = db.prepare('INSERT INTO journal (no, run_seq, flow_id, entry) VALUES (?, ?, ?, ?)')
  const takeBackOutcome = db.prepare(
    "DELETE FROM outcomes WHERE seq = ? AND flow_id = ? AND status <> 'succeeded'"
  )
  const clear = db.prepare('DELETE FROM journal WHERE run_seq = ?')
  const enqueue = db.prepare('INSERT INTO queue (seq, flow_id) VALUES (?, ?)')

  function write(run: RunRef, entry: string): number {
    const no = numbers.add(1)
    append.run(no, run.seq, run.flowId, entry)
    return no
  }

  return {
    checkpoint(run: RunRef, entry: string): number | null {
      return isOpen.get(run.seq, run.flowId) === undefined ? null : write(run, entry)
    },

    park(run: RunRef, entry: string, dueAt: number): number | null {
      return setDue.run(dueAt, run.seq, run.flowId).changes === 0 ? null : write(run, entry)
    },

    /** Messages of the earlier attempt stay: they were printed. */
    reopen(run: RunRef, entry: string): number | null {
      if (takeBackOutcome.run(run.seq, run.flowId).changes === 0) return null
      ended.add(-1)
      clear.run(run.seq)
      enqueue.run(run.seq, run.flowId)
      return write(run, entry)
    }
  }
}
