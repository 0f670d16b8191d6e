import type { PinStore } from '../../pins.ts'
import { PIN_COLUMNS, type PinRow, pinValues, storedPin } from '../../rows/pin-row.ts'
import { storableText } from '../database/storable-text.ts'
import type { LibraryWrites } from './library-writes.ts'

const ofFlowText = `SELECT ${PIN_COLUMNS} FROM millrace.flow_pins WHERE flow_id = $1 ORDER BY node`

/** Holds the flow until the end of the transaction: it may be deleted, and with it its pins, in this moment. */
const liveText = 'SELECT 1 FROM millrace.flows WHERE id = $1 AND deleted_at IS NULL FOR KEY SHARE'

const writeText = `
  INSERT INTO millrace.flow_pins (${PIN_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (flow_id, node) DO UPDATE SET made_of = excluded.made_of, author = excluded.author,
    updated_at = excluded.updated_at, outputs = excluded.outputs`

/** No process holds pins in memory, so nobody else has to bring them in. */
export function createPinStore(writes: LibraryWrites): PinStore {
  const { db } = writes
  return {
    ofFlow: async (flowId) => (await db.query<PinRow>(ofFlowText, [flowId])).map(storedPin),
    put: (pin) => {
      const values = pinValues(pin).map((value) => (typeof value === 'string' ? storableText(value) : value))
      return writes.inTurn(() =>
        db.transaction(async (query) => {
          if ((await query(liveText, [pin.flowId])).length === 0) return false
          await query(writeText, values)
          return true
        })
      )
    },
    remove: (flowId, nodes) =>
      writes.inTurn(async () => {
        const text =
          'DELETE FROM millrace.flow_pins WHERE flow_id = $1 AND node = ANY($2::text[]) RETURNING node'
        return (await db.query(text, [flowId, nodes])).length
      })
  }
}
