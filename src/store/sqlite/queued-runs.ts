import type { DatabaseSync } from 'node:sqlite'
import type { StoredRun } from '../store.ts'
import type { RunReader } from './read-run.ts'

/** Unfinished runs: what waits, what is parked and what is due. */
export function prepareQueue(db: DatabaseSync, reader: RunReader) {
  const perFlow = db.prepare('SELECT flow_id, count(*) AS n FROM queue GROUP BY flow_id')
  const waiting = db.prepare(
    'SELECT seq FROM queue WHERE flow_id = ? AND due_at IS NULL AND seq > ? ORDER BY seq LIMIT ?'
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
      const rows = waiting.all(flowId, after, limit) as unknown as { seq: number }[]
      return rows.map((row) => reader.bySeq(row.seq)).filter((run) => run !== undefined)
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
