import type { DatabaseSync } from 'node:sqlite'
import type { RunRef } from '../../store.ts'

/** Where a child belongs; see the migration of children. */
export interface Family {
  readonly siblings: number
  readonly rootSeq: number
  readonly depth: number
}

/** What the row of a run said that has ended, if it had one. */
export interface EndedRow {
  readonly siblings: number | null
  readonly turn: number | null
  readonly rootSeq: number | null
  readonly depth: number | null
}

/** Where the row of a run says that it is: parked, held, or neither. */
export interface Place {
  readonly dueAt?: number
  readonly isHeld?: boolean
  readonly isWaiting?: boolean
}

/** The statements of `queue`; see OpenRuns. */
export function prepareQueueRows(db: DatabaseSync) {
  const put = db.prepare(
    `INSERT INTO queue (seq, flow_id, due_at, held, is_waiting) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (seq) DO UPDATE SET due_at = excluded.due_at, held = excluded.held, is_waiting = excluded.is_waiting`
  )
  const putChild = db.prepare(
    `INSERT INTO queue (seq, flow_id, due_at, held, turn, siblings, root_seq, depth) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (seq) DO UPDATE SET siblings = excluded.siblings, root_seq = excluded.root_seq, depth = excluded.depth`
  )
  const giveTurn = db.prepare('UPDATE queue SET due_at = ?, held = ?, turn = NULL WHERE seq = ?')
  // A child that waits for its turn begins with its turn, and not before.
  const setDue = db.prepare('UPDATE queue SET due_at = ?2 WHERE seq = ?1 AND due_at > ?2 AND turn IS NULL')
  const remove = db.prepare(
    'DELETE FROM queue WHERE seq = ? RETURNING siblings, turn, root_seq AS rootSeq, depth'
  )
  const findParked = db.prepare(
    'SELECT 1 FROM queue WHERE seq = ? AND flow_id = ? AND (due_at IS NOT NULL OR held = 1)'
  )
  const findHeld = db.prepare('SELECT 1 FROM queue WHERE seq = ? AND held = 1')
  const listHeld = db.prepare('SELECT seq FROM queue WHERE flow_id = ? AND held = 1 ORDER BY seq')
  const release = db.prepare('UPDATE queue SET held = 0 WHERE flow_id = ? AND held = 1')

  return {
    put({ seq, flowId }: RunRef, { dueAt, isHeld = false, isWaiting = false }: Place = {}): void {
      put.run(seq, flowId, dueAt ?? null, Number(isHeld), isWaiting ? 1 : null)
    },

    /** Where there is a row already, it says from now on whose child it is, and all else that it said. */
    putChild(
      { seq, flowId }: RunRef,
      { siblings, rootSeq, depth }: Family,
      { dueAt, isHeld = false }: Place = {},
      turn: 1 | 2 | null = null
    ): void {
      putChild.run(seq, flowId, dueAt ?? null, Number(isHeld), turn, siblings, rootSeq, depth)
    },

    giveTurn: (seq: number, { dueAt, isHeld = false }: Place): void =>
      void giveTurn.run(dueAt ?? null, Number(isHeld), seq),
    setDue: (seq: number, at: number): void => void setDue.run(seq, at),
    remove: (seq: number): EndedRow => remove.get(seq) as unknown as EndedRow,
    isParked: ({ seq, flowId }: RunRef): boolean => findParked.get(seq, flowId) !== undefined,
    isHeld: (seq: number): boolean => findHeld.get(seq) !== undefined,

    /** Those of the flow that are held are so no longer. */
    release(flowId: string): number[] {
      const seqs = (listHeld.all(flowId) as { seq: number }[]).map(({ seq }) => seq)
      release.run(flowId)
      return seqs
    }
  }
}
