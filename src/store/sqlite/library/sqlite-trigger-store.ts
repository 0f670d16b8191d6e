import type { DatabaseSync } from 'node:sqlite'
import { storedTrigger, type TriggerRow } from '../../rows/trigger-row.ts'
import type { AcceptedRun, NewRun } from '../../store.ts'
import type { TriggerEvent, TriggerStore } from '../../triggers.ts'
import type { GroupCommit } from '../file/group-commit.ts'

const isAhead = 'WHERE triggers.mark IS NULL OR triggers.mark < excluded.mark'

const keepMark = `
  INSERT INTO triggers (flow_id, node, mark) VALUES (?, ?, ?)
  ON CONFLICT (flow_id, node) DO UPDATE SET mark = excluded.mark`

export function createTriggerStore(db: DatabaseSync, commit: GroupCommit): TriggerStore {
  const all = db.prepare('SELECT * FROM triggers ORDER BY flow_id, node')
  const ofFlow = db.prepare('SELECT * FROM triggers WHERE flow_id = ? ORDER BY node')
  const setMark = db.prepare(keepMark)
  const advanceMark = db.prepare(`${keepMark} ${isAhead}`)
  const setFault = db.prepare(
    `INSERT INTO triggers (flow_id, node, fault, failed_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (flow_id, node) DO UPDATE SET fault = excluded.fault, failed_at = excluded.failed_at`
  )
  return {
    async list(flowId) {
      const rows = flowId === undefined ? all.all() : ofFlow.all(flowId)
      return (rows as unknown as TriggerRow[]).map(storedTrigger)
    },
    setMark: (flowId, node, mark) => commit.write(() => void setMark.run(flowId, node, mark)),
    advanceMark: (flowId, node, mark) => commit.write(() => void advanceMark.run(flowId, node, mark)),
    setFault: (flowId, node, fault) =>
      commit.write(() => void setFault.run(flowId, node, fault?.message ?? null, fault?.at ?? null))
  }
}

/** Accepts a run unless its trigger has got as far already. To be called inside a batch. */
export function prepareAcceptEvent(db: DatabaseSync, accept: (run: NewRun) => AcceptedRun) {
  const advance = db.prepare(`${keepMark} ${isAhead}`)
  return (run: NewRun, { node, mark }: TriggerEvent): AcceptedRun | undefined =>
    advance.run(run.flowId, node, mark).changes === 0 ? undefined : accept(run)
}
