import type { DatabaseSync } from 'node:sqlite'
import type { AcceptedRun, NewRun } from '../store.ts'
import type { Names } from './names.ts'
import type { OpenRuns } from './open-runs.ts'
import type { StoredCounter } from './stored-counter.ts'
import type { Stretches } from './stretches.ts'

export interface AcceptParts {
  readonly numbers: StoredCounter
  readonly open: OpenRuns
  readonly names: Names
  readonly stretches: Stretches
}

/** Hot: once per webhook. */
export function prepareAccept(db: DatabaseSync, parts: AcceptParts) {
  const { numbers, open, names, stretches } = parts
  const insertRun = db.prepare(
    `INSERT INTO runs
       (seq, id, flow, flow_version, trigger, session, created_at, replay_of, request, input)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  )

  return (run: NewRun): AcceptedRun => {
    const { id, flowId, flowVersion, trigger, session, createdAt, input, request, replayOf } = run
    const seq = numbers.add(1)
    const flow = names.numberOf(flowId)
    insertRun.run(seq, id, flow, flowVersion, trigger, session, createdAt, replayOf, request, input)
    open.accepted(seq, flowId)
    stretches.note(seq, createdAt)
    return { seq, id, flowId, flowVersion, trigger, session, createdAt, input, request, replayOf }
  }
}
