import type { MessagePage, MessagePlace, StoredMessage } from '../message-store.ts'

interface PlacedRow extends MessagePlace {
  readonly created_at: number
}

/**
 * A page of the newest messages, from one more of them than it holds, the newest first. What is shown is in the order
 * of printing; where runs overlap, that is another one than that of their ends, which pages go by.
 */
export function messagePage<Row extends PlacedRow>(
  rows: readonly Row[],
  limit: number,
  toMessage: (row: Row) => StoredMessage
): MessagePage {
  const kept = rows.slice(0, limit)
  const last = kept.at(-1)
  const next = rows.length > limit && last !== undefined ? { no: last.no, place: last.place } : null
  const inOrder = kept.sort((a, b) => a.created_at - b.created_at || a.no - b.no || a.place - b.place)
  return { messages: inOrder.map(toMessage), next }
}
