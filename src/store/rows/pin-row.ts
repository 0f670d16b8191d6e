import type { StoredPin } from '../pins.ts'

/** A row of flow_pins, in either database. */
export interface PinRow {
  readonly flow_id: string
  readonly node: string
  readonly made_of: string
  readonly author: string | null
  readonly updated_at: number
  readonly outputs: string
}

export const PIN_COLUMNS = 'flow_id, node, made_of, author, updated_at, outputs'

export function storedPin(row: PinRow): StoredPin {
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
export function pinValues(pin: StoredPin): (string | number | null)[] {
  const { flowId, node, madeOf, author, updatedAt, outputs } = pin
  return [flowId, node, madeOf, author, updatedAt, outputs]
}
