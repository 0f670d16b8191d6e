import type { MessageStore, StoredMessage } from '../../message-store.ts'
import { messagePage } from '../../rows/message-page.ts'
import type { Query } from '../database/database.ts'
import { storableText } from '../database/storable-text.ts'

interface MessageRow {
  readonly no: number
  readonly place: number
  readonly id: string
  readonly run_id: string
  readonly session: string
  readonly sender: string
  readonly text: string
  readonly long: string | null
  readonly created_at: number
}

/** The newest are those whose runs ended last; they are shown in the order of printing, which may differ. */
function newestText(whose: string): string {
  return `
    SELECT m.no, m.place, m.id, r.id AS run_id, m.session, m.sender, m.text, m.long, m.created_at
    FROM (
      SELECT * FROM millrace.messages
      WHERE flow_id = $1 AND no <= $3 AND (no, place) < ($3, $4) ${whose}
      ORDER BY no DESC, place DESC LIMIT $2
    ) AS m
    JOIN millrace.runs r ON r.seq = m.run_seq
    ORDER BY m.no DESC, m.place DESC`
}

const ofFlow = newestText('')
const ofSession = newestText('AND session = $5 AND hashtext(session) = hashtext($5)')
const THE_END = { no: Number.MAX_SAFE_INTEGER, place: 0 }

export function createMessageStore(query: Query): MessageStore {
  return {
    async list({ flowId, session, limit, before = THE_END }) {
      const values = [flowId, limit + 1, before.no, before.place]
      const rows = await (session === undefined
        ? query<MessageRow>(ofFlow, values)
        : query<MessageRow>(ofSession, [...values, storableText(session)]))
      return messagePage(rows, limit, storedMessage)
    }
  }
}

function storedMessage({ id, run_id, session, sender, text, long, created_at }: MessageRow): StoredMessage {
  const message = { id, runId: run_id, session, sender, text, createdAt: created_at }
  return long === null ? message : { ...message, long }
}
