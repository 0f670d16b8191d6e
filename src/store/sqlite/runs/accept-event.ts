import type { DatabaseSync } from 'node:sqlite'
import { advanceMarkText } from '../../library/trigger-store.ts'
import type { AcceptedRun, NewRun } from '../../store.ts'
import type { TriggerEvent } from '../../triggers.ts'

/** Accepts a run unless its trigger has got as far already. To be called inside a batch. */
export function prepareAcceptEvent(db: DatabaseSync, accept: (run: NewRun) => AcceptedRun) {
  const advance = db.prepare(advanceMarkText)
  return (run: NewRun, { node, mark }: TriggerEvent): AcceptedRun | undefined =>
    advance.get(run.flowId, node, mark) === undefined ? undefined : accept(run)
}
