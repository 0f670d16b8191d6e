import type { DatabaseSync } from 'node:sqlite'
import type { PinStore } from '../../pins.ts'
import { PIN_COLUMNS, type PinRow, pinValues, storedPin } from '../../rows/pin-row.ts'
import type { GroupCommit } from '../file/group-commit.ts'

export function createPinStore(db: DatabaseSync, commit: GroupCommit): PinStore {
  const ofFlow = db.prepare(`SELECT ${PIN_COLUMNS} FROM flow_pins WHERE flow_id = ? ORDER BY node`)
  const write = db.prepare(
    `INSERT OR REPLACE INTO flow_pins (${PIN_COLUMNS})
     SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE EXISTS (SELECT 1 FROM flows WHERE id = ?1 AND deleted_at IS NULL)`
  )
  const remove = db.prepare(
    'DELETE FROM flow_pins WHERE flow_id = ? AND node IN (SELECT value FROM json_each(?))'
  )
  return {
    ofFlow: async (flowId) => (ofFlow.all(flowId) as unknown as PinRow[]).map(storedPin),
    put: (pin) => commit.write(() => write.run(...pinValues(pin)).changes === 1, pin.outputs.length),
    remove: (flowId, nodes) => commit.write(() => Number(remove.run(flowId, JSON.stringify(nodes)).changes))
  }
}
