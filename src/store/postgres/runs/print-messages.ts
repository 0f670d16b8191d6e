import type { NewMessage } from '../../message-store.ts'
import { storableText } from '../database/storable-text.ts'

/** Keeps what the rows of `numbered` bring in `messages`. A run says again what its earlier steps have said; that is there already. */
export const printed = `
  printed AS (
    INSERT INTO millrace.messages (run_seq, id, no, place, flow_id, session, created_at, sender, text, long)
    SELECT n.seq, m.id, n.no, m.place, n.flow_id, m.session, m.created_at, m.sender, m.text, m.long
    FROM numbered n, json_to_recordset(n.messages) AS m (
      id text, place integer, session text, created_at bigint, sender text, text text, long text
    )
    ON CONFLICT (run_seq, id) DO NOTHING
  )`

export function messageRows(messages: readonly NewMessage[]) {
  return messages.map((message, place) => ({
    id: storableText(message.id),
    place,
    session: storableText(message.session),
    created_at: message.createdAt,
    sender: storableText(message.sender),
    text: storableText(message.text),
    long: message.long ?? null
  }))
}

/** Of entries that print nothing, as most do, nothing is said. */
export function printedRows({ printed: messages = [] }: { readonly printed?: readonly NewMessage[] }) {
  return messages.length === 0 ? {} : { messages: messageRows(messages) }
}
