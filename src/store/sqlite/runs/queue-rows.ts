import type { DatabaseSync } from 'node:sqlite'
import { placesBefore, type QueueOperation, type QueuePlace } from '../../queue-state.ts'
import type { RunRef } from '../../store.ts'

// What statements ask of rows of `queue`, by name. What follows from the state is said where an index needs to hear it.

/** In the table alone. */
export const IS_STORED_ALONE = "state <> 'queued'"
export const IS_QUEUED = "state = 'queued'"
export const IS_PARKED = `${IS_STORED_ALONE} AND state = 'parked'`
export const IS_PAUSED = `${IS_STORED_ALONE} AND state = 'paused' AND due_at IS NULL`
export const IS_IN_LINE = "state = 'in line' AND due_at IS NULL"
export const IS_CHILD = 'root_seq IS NOT NULL'

/** True for a row to which this may be done. */
export function mayBe(operation: QueueOperation): string {
  return `state IN (${placesBefore(operation)
    .map((place) => `'${place}'`)
    .join(', ')})`
}

/** Children that become due together: those that a wait counts, or those that are detached from a run. */
export type Siblings =
  | { readonly awaitedBy: number; readonly detachedFrom: null }
  | { readonly awaitedBy: null; readonly detachedFrom: number }

/** Where a child belongs; see the schema. */
export type Family = Siblings & {
  readonly rootSeq: number
  readonly depth: number
}

export const awaitedBy = (wait: number): Siblings => ({ awaitedBy: wait, detachedFrom: null })
export const detachedFrom = (seq: number): Siblings => ({ awaitedBy: null, detachedFrom: seq })

/** What the row of a run said that has ended: where it was, and of a child, where it belonged. */
export interface EndedRow {
  readonly state: StoredPlace['state']
  readonly awaitedBy: number | null
  readonly detachedFrom: number | null
  readonly rootSeq: number | null
  readonly depth: number | null
}

/** Nobody is told in this store who executes a run. */
export type StoredPlace = Exclude<QueuePlace, { state: 'claimed' }>

export const QUEUED = { state: 'queued' } as const
export const PAUSED = { state: 'paused' } as const

/** The statements of `queue`; see OpenRuns. */
export function prepareQueueRows(db: DatabaseSync) {
  const setPlace =
    'state = excluded.state, due_at = excluded.due_at, is_waiting = excluded.is_waiting, begins_paused = excluded.begins_paused'
  const put = db.prepare(
    `INSERT INTO queue (seq, flow_id, state, due_at, is_waiting, begins_paused) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (seq) DO UPDATE SET ${setPlace}`
  )
  const putChild = db.prepare(
    `INSERT INTO queue (seq, flow_id, state, due_at, is_waiting, begins_paused, awaited_by, detached_from, root_seq, depth)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (seq) DO UPDATE SET ${setPlace}, awaited_by = excluded.awaited_by,
       detached_from = excluded.detached_from, root_seq = excluded.root_seq, depth = excluded.depth`
  )
  const giveTurn = db.prepare(
    `UPDATE queue SET state = ?, due_at = ?, begins_paused = NULL WHERE seq = ? AND ${mayBe('giveTurn')}`
  )
  // A child that is in line begins with its turn, and not before.
  const setDue = db.prepare(`UPDATE queue SET due_at = ?2 WHERE seq = ?1 AND ${IS_PARKED} AND due_at > ?2`)
  const remove = db.prepare(
    `DELETE FROM queue WHERE seq = ?
     RETURNING state, awaited_by AS awaitedBy, detached_from AS detachedFrom, root_seq AS rootSeq, depth`
  )
  const findState = db.prepare('SELECT state FROM queue WHERE seq = ? AND flow_id = ?')
  const listPaused = db.prepare(`SELECT seq FROM queue WHERE flow_id = ? AND ${IS_PAUSED} ORDER BY seq`)
  const resume = db.prepare(`UPDATE queue SET state = 'queued' WHERE flow_id = ? AND ${IS_PAUSED}`)

  return {
    /** Of a child, all else that its row says stays. */
    put({ seq, flowId }: RunRef, place: StoredPlace): void {
      put.run(seq, flowId, ...valuesOf(place))
    },

    putChild({ seq, flowId }: RunRef, family: Family, place: StoredPlace): void {
      const { rootSeq, depth } = family
      putChild.run(seq, flowId, ...valuesOf(place), family.awaitedBy, family.detachedFrom, rootSeq, depth)
    },

    giveTurn(seq: number, place: Extract<StoredPlace, { state: 'parked' | 'paused' }>): void {
      const [state, dueAt] = valuesOf(place)
      giveTurn.run(state, dueAt, seq)
    },

    setDue: (seq: number, at: number): void => void setDue.run(seq, at),
    remove: (seq: number): EndedRow => remove.get(seq) as unknown as EndedRow,

    /** Undefined where it has no row, or is of another flow. */
    stateOf: ({ seq, flowId }: RunRef): StoredPlace['state'] | undefined =>
      (findState.get(seq, flowId) as { state: StoredPlace['state'] } | undefined)?.state,

    /** Those of the flow that are paused are queued from here on: these. */
    resume(flowId: string): number[] {
      const seqs = (listPaused.all(flowId) as { seq: number }[]).map(({ seq }) => seq)
      resume.run(flowId)
      return seqs
    }
  }
}

function valuesOf(place: StoredPlace) {
  const isParked = place.state === 'parked'
  return [
    place.state,
    isParked ? place.dueAt : null,
    isParked && place.isWaiting ? 1 : null,
    place.state === 'in line' ? Number(place.beginsPaused) : null
  ] as const
}
