import type { DatabaseSync } from 'node:sqlite'
import type { StoredRun } from '../store.ts'
import type { RunReader } from './read-run.ts'
import { type FullRow, fullColumns, storedRun } from './run-rows.ts'

interface JournalRow {
  readonly run_seq: number
  readonly entry: string
}

/** Unfinished runs: what waits, what is parked and what is due. */
export function prepareQueue(db: DatabaseSync, reader: RunReader) {
  const perFlow = db.prepare('SELECT flow_id, count(*) AS n FROM queue GROUP BY flow_id')
  // One statement for a page of runs and one for all their journals: one by one they cost 17 µs each.
  const waiting = db.prepare(
    `SELECT ${fullColumns} FROM queue q JOIN runs r ON r.seq = q.seq LEFT JOIN outcomes o ON o.seq = q.seq
     WHERE q.flow_id = ? AND q.due_at IS NULL AND q.seq > ? ORDER BY q.seq LIMIT ?`
  )
  const journals = db.prepare(
    'SELECT run_seq, entry FROM journal WHERE run_seq BETWEEN ? AND ? ORDER BY run_seq, no'
  )
  const due = db.prepare('SELECT seq FROM queue WHERE due_at <= ? ORDER BY due_at, seq LIMIT ?')
  const unpark = db.prepare('UPDATE queue SET due_at = NULL WHERE seq = ?')
  const earliest = db.prepare('SELECT min(due_at) AS at FROM queue WHERE due_at IS NOT NULL')

  return {
    backlog(): Map<string, number> {
      const rows = perFlow.all() as unknown as { flow_id: string; n: number }[]
      return new Map(rows.map((row) => [row.flow_id, row.n]))
    },

    waiting(flowId: string, after: number, limit: number): StoredRun[] {
      const rows = waiting.all(flowId, after, limit) as unknown as FullRow[]
      if (rows.length === 0) return []
      const entries = journals.all(rows[0]!.seq, rows.at(-1)!.seq) as unknown as JournalRow[]
      const bySeq = Map.groupBy(entries, (row) => row.run_seq)
      return rows.map((row) => {
        const journal = bySeq.get(row.seq)?.map(({ entry }) => entry) ?? []
        return storedRun(row, journal)
      })
    },

    nextDue(): number | null {
      return (earliest.get() as { at: number | null }).at
    },

    /**
     * To be called inside a batch. A crash after it leaves the runs waiting, not parked: none is forgotten.
     */
    takeDue(now: number, limit: number): StoredRun[] {
      const rows = due.all(now, limit) as unknown as { seq: number }[]
      for (const row of rows) unpark.run(row.seq)
      return rows.map((row) => reader.bySeq(row.seq)).filter((run) => run !== undefined)
    }
  }
}
