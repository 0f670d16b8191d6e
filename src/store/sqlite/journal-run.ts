import type { DatabaseSync } from 'node:sqlite'
import type { RunRef } from '../store.ts'
import type { EndParts } from './end-run.ts'

/**
 * The transitions of a run that write its journal. The journal stays after the end, until the run is deleted.
 */
export function prepareJournal(db: DatabaseSync, { numbers, ended, open, names }: EndParts) {
  const append = db.prepare('INSERT INTO journal (no, run_seq, flow, entry) VALUES (?, ?, ?, ?)')
  const takeBackOutcome = db.prepare(
    "DELETE FROM outcomes WHERE seq = ? AND flow = ? AND status <> 'succeeded'"
  )
  const clear = [
    db.prepare('DELETE FROM journal WHERE run_seq = ?'),
    db.prepare('DELETE FROM hung_steps WHERE run_seq = ?')
  ]

  function write(run: RunRef, entry: string): number {
    const no = numbers.add(1)
    append.run(no, run.seq, names.numberOf(run.flowId), entry)
    return no
  }

  return {
    checkpoint(run: RunRef, entry: string): number | null {
      return open.begun(run) ? write(run, entry) : null
    },

    park(run: RunRef, entry: string, dueAt: number): number | null {
      if (!open.has(run)) return null
      open.parked(run, dueAt)
      return write(run, entry)
    },

    /** Messages of the earlier attempt stay: they were printed. */
    reopen(run: RunRef, entry: string): number | null {
      if (takeBackOutcome.run(run.seq, names.numberOf(run.flowId)).changes === 0) return null
      ended.add(-1)
      for (const deletion of clear) deletion.run(run.seq)
      open.reopened(run)
      return write(run, entry)
    }
  }
}
