import type { MessageStore, StoredMessage } from '../store.ts'
import type { Query } from './database.ts'
import { storableText } from './storable-text.ts'

interface MessageRow {
  readonly id: string
  readonly run_id: string
  readonly session: string
  readonly sender: string
  readonly text: string
  readonly created_at: number
}

/** The newest are those whose runs ended last; they are shown in the order of printing, which may differ. */
function newestText(whose: string): string {
  return `
    SELECT m.id, r.id AS run_id, m.session, m.sender, m.text, m.created_at
    FROM (
      SELECT * FROM millrace.messages WHERE flow_id = $1 ${whose} ORDER BY no DESC, place DESC LIMIT $2
    ) AS m
    JOIN millrace.runs r ON r.seq = m.run_seq
    ORDER BY m.created_at, m.no, m.place`
}

const ofFlow = newestText('')
const ofSession = newestText('AND session = $3')

export function createMessageStore(query: Query): MessageStore {
  return {
    async list(flowId, session, limit) {
      const rows = await (session === undefined
        ? query<MessageRow>(ofFlow, [flowId, limit])
        : query<MessageRow>(ofSession, [flowId, limit, storableText(session)]))
      return rows.map(storedMessage)
    }
  }
}

function storedMessage({ id, run_id, session, sender, text, created_at }: MessageRow): StoredMessage {
  return { id, runId: run_id, session, sender, text, createdAt: created_at }
}
