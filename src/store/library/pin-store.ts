import type { PinStore, StoredPin } from '../pins.ts'
import { anyRow, type LibraryDatabase, type LibrarySteps, rows } from './library-database.ts'

const PIN_COLUMNS = 'flow_id, node, made_of, author, updated_at, outputs'

const putText = `
  INSERT INTO flow_pins (${PIN_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (flow_id, node) DO UPDATE SET made_of = excluded.made_of, author = excluded.author,
    updated_at = excluded.updated_at, outputs = excluded.outputs`

/** No process holds pins in memory, so nobody else has to bring them in. */
export function createPinStore(db: LibraryDatabase): PinStore {
  const { forShare, isListed } = db.dialect
  // Held until the end of the transaction: it may be deleted, and with it its pins, in this moment.
  const liveFlow = `SELECT 1 FROM flows WHERE id = ? AND deleted_at IS NULL${forShare}`
  const removeText = `DELETE FROM flow_pins WHERE flow_id = ? AND ${isListed('node')} RETURNING node`

  function* put(pin: StoredPin): LibrarySteps<boolean> {
    if (!(yield* anyRow(liveFlow, pin.flowId))) return false
    yield* rows(putText, ...pinValues(pin))
    return true
  }

  return {
    ofFlow: (flowId) => db.read(() => ofFlow(flowId)),
    put: (pin) => db.writeUnheld(() => put(pin), pin.outputs.length),
    remove: async (flowId, nodes) =>
      (await db.writeUnheld(() => rows(removeText, flowId, JSON.stringify(nodes)))).length
  }
}

function* ofFlow(flowId: string): LibrarySteps<StoredPin[]> {
  const text = `SELECT ${PIN_COLUMNS} FROM flow_pins WHERE flow_id = ? ORDER BY node`
  return (yield* rows<PinRow>(text, flowId)).map(storedPin)
}

/** A row of flow_pins, in either database. */
interface PinRow {
  readonly flow_id: string
  readonly node: string
  readonly made_of: string
  readonly author: string | null
  readonly updated_at: number
  readonly outputs: string
}

function storedPin(row: PinRow): StoredPin {
  return {
    flowId: row.flow_id,
    node: row.node,
    outputs: row.outputs,
    madeOf: row.made_of,
    author: row.author,
    updatedAt: row.updated_at
  }
}

/** In the order of the columns. */
function pinValues(pin: StoredPin): (string | number | null)[] {
  const { flowId, node, madeOf, author, updatedAt, outputs } = pin
  return [flowId, node, madeOf, author, updatedAt, outputs]
}
