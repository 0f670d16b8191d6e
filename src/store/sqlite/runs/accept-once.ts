import type { DatabaseSync } from 'node:sqlite'
import { type Delivery, findRepetition, type KnownDelivery } from '../../deliveries.ts'
import type { Acceptance, AcceptedRun, NewRun } from '../../store.ts'

/** Accepts a run unless its delivery is known. The row is written at once: the next write of the batch must find it. */
export function prepareAcceptOnce(db: DatabaseSync, accept: (run: NewRun) => AcceptedRun) {
  const known = db.prepare(
    'SELECT run_id AS runId, body, accepted_at AS acceptedAt FROM deliveries WHERE key = ?'
  )
  // Where there is a row already, it is older than deliveries are known for.
  const keep = db.prepare(
    'INSERT OR REPLACE INTO deliveries (key, run_id, body, accepted_at) VALUES (?, ?, ?, ?)'
  )
  const find = (key: string) => known.get(key) as unknown as KnownDelivery | undefined

  return (run: NewRun, deliveries: readonly Delivery[]): Acceptance => {
    const repetition = findRepetition(deliveries, run.createdAt, find)
    if (repetition !== undefined) return repetition
    for (const { key, body } of deliveries) keep.run(key, run.id, body, run.createdAt)
    return { verdict: 'accepted', run: accept(run) }
  }
}

/** To be called inside a batch; returns how many went. */
export function prepareForgetDeliveries(db: DatabaseSync): (acceptedBefore: number, slice: number) => number {
  const forget = db.prepare(
    `DELETE FROM deliveries WHERE key IN
       (SELECT key FROM deliveries WHERE accepted_at < ? ORDER BY accepted_at LIMIT ?)`
  )
  return (acceptedBefore, slice) => Number(forget.run(acceptedBefore, slice).changes)
}
