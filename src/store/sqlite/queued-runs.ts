import type { DatabaseSync } from 'node:sqlite'
import type { RunTrigger } from '../../flows/component.ts'
import type { StoredRun, WaitingRun } from '../store.ts'
import type { OpenRuns } from './open-runs.ts'
import type { RunReader } from './read-run.ts'

interface JournalRow {
  readonly run_seq: number
  readonly entry: string
}

type WaitingRow = [
  seq: number,
  id: string,
  flowVersion: number,
  trigger: RunTrigger,
  session: string,
  createdAt: number,
  replayOf: string | null,
  request: string | null,
  input: string
]

/** Unfinished runs: what waits, what is parked and what is due. */
export function prepareQueue(db: DatabaseSync, reader: RunReader, open: OpenRuns) {
  // Bodies as text, which they are read as: an array for the bytes of each costs 3 µs, most of it as garbage.
  // One statement for a page of runs and one for all their journals: one by one they cost 17 µs each.
  const read = db.prepare(
    `SELECT r.seq, r.id, r.flow_version, r.trigger, r.session, r.created_at, r.replay_of, r.request,
       CAST(r.input AS TEXT)
     FROM json_each(?) j CROSS JOIN runs r ON r.seq = j.value ORDER BY j.key`
  )
  // Named columns cost more to read than the row does.
  read.setReturnArrays(true)
  const journals = db.prepare(
    'SELECT run_seq, entry FROM journal WHERE run_seq BETWEEN ? AND ? ORDER BY run_seq, no'
  )
  const due = db.prepare('SELECT seq FROM queue WHERE due_at <= ? ORDER BY due_at, seq LIMIT ?')
  const earliest = db.prepare('SELECT min(due_at) AS at FROM queue WHERE due_at IS NOT NULL')

  return {
    waiting(flowId: string, after: number, limit: number): WaitingRun[] {
      const seqs = open.waiting(flowId, after, limit)
      const rows = read.all(JSON.stringify(seqs)) as unknown as WaitingRow[]
      if (rows.length === 0) return []
      const entries = journals.all(rows[0]![0], rows.at(-1)![0]) as unknown as JournalRow[]
      const bySeq = Map.groupBy(entries, (row) => row.run_seq)
      return rows.map((row) => {
        const [seq, id, flowVersion, trigger, session, createdAt, replayOf, request, input] = row
        const journal = bySeq.get(seq)?.map(({ entry }) => entry) ?? []
        return {
          seq,
          id,
          flowId,
          flowVersion,
          trigger,
          session,
          createdAt,
          replayOf,
          request,
          input,
          journal
        }
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
      const runs = rows.map((row) => reader.bySeq(row.seq)).filter((run) => run !== undefined)
      for (const run of runs) open.unparked(run)
      return runs
    }
  }
}
