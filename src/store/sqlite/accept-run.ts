import type { DatabaseSync } from 'node:sqlite'
import type { AcceptedRun, NewRun } from '../store.ts'
import type { StoredCounter } from './stored-counter.ts'
import type { Stretches } from './stretches.ts'

/** Hot: once per webhook. */
export function prepareAccept(db: DatabaseSync, numbers: StoredCounter, stretches: Stretches) {
  const insertRun = db.prepare(
    `INSERT INTO runs
       (seq, id, flow_id, flow_version, trigger, session, created_at, replay_of, request, input)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  )
  const enqueue = db.prepare('INSERT INTO queue (seq, flow_id) VALUES (?, ?)')

  return (run: NewRun): AcceptedRun => {
    const { id, flowId, flowVersion, trigger, session, createdAt, input, request, replayOf } = run
    const seq = numbers.add(1)
    insertRun.run(seq, id, flowId, flowVersion, trigger, session, createdAt, replayOf, request, input)
    enqueue.run(seq, flowId)
    stretches.note(seq, createdAt)
    return { seq, id, flowId, flowVersion, trigger, session, createdAt, input, request, replayOf }
  }
}
