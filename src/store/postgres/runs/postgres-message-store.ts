import type { MessageStore, Rating, StoredMessage } from '../../message-store.ts'
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
  readonly rating: Rating | null
  readonly created_at: number
}

/** The newest are those whose runs ended last; they are shown in the order of printing, which may differ. */
function newestText(whose: string): string {
  return `
    SELECT m.no, m.place, m.id, r.id AS run_id, m.session, m.sender, m.text, m.long, m.rating, m.created_at
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
/** A run prints in several sessions under one number; the name tells them apart. */
const sessionsText = `
  SELECT session, count(*) AS messages, min(created_at) AS first_at, max(created_at) AS last_at, max(no) AS no
  FROM millrace.messages WHERE flow_id = $1
  GROUP BY session HAVING (max(no), session) < ($3, $4) ORDER BY 5 DESC, 1 DESC LIMIT $2`

const speakersText = `
  WITH RECURSIVE above AS (
    SELECT DISTINCT run_seq AS said, run_seq AS seq, 0 AS height FROM millrace.messages
    WHERE flow_id = $1 AND session = $2 AND hashtext(session) = hashtext($2)
    UNION ALL
    SELECT a.said, c.parent_seq, a.height + 1 FROM above a
    JOIN millrace.children c ON c.seq = a.seq JOIN millrace.runs p ON p.seq = c.parent_seq
  ),
  top AS (SELECT DISTINCT ON (said) seq FROM above ORDER BY said, height DESC)
  SELECT DISTINCT r.seq, r.id, r.flow_id, EXISTS (SELECT 1 FROM millrace.outcomes o WHERE o.seq = r.seq) AS has_ended
  FROM top JOIN millrace.runs r USING (seq) ORDER BY r.seq`

const forgetText = `
  DELETE FROM millrace.messages WHERE flow_id = $1 AND session = $2 AND hashtext(session) = hashtext($2) RETURNING 1`

const rateText = `
  UPDATE millrace.messages m SET rating = $4 FROM millrace.runs r
  WHERE r.id = $2 AND m.run_seq = r.seq AND m.id = $3 AND m.flow_id = $1 RETURNING 1`

interface SessionRow {
  readonly session: string
  readonly messages: number
  readonly first_at: number
  readonly last_at: number
  readonly no: number
}

const THE_END = { no: Number.MAX_SAFE_INTEGER, place: 0 }

export function createMessageStore(query: Query): MessageStore {
  return {
    async sessions({ flowId, limit, before = { no: Number.MAX_SAFE_INTEGER, session: '' } }) {
      const values = [flowId, limit + 1, before.no, before.session]
      const rows = await query<SessionRow>(sessionsText, values)
      const shown = rows.slice(0, limit)
      const sessions = shown.map(({ session, messages, first_at, last_at }) => {
        return { session, messages, firstAt: first_at, lastAt: last_at }
      })
      const last = shown.at(-1)
      const isMore = rows.length > limit && last !== undefined
      return { sessions, next: isMore ? { no: last.no, session: last.session } : null }
    },
    async speakers(flowId, session) {
      const rows = await query<{ seq: number; id: string; flow_id: string; has_ended: boolean }>(
        speakersText,
        [flowId, storableText(session)]
      )
      return rows.map(({ seq, id, flow_id, has_ended }) => ({
        seq,
        id,
        flowId: flow_id,
        hasEnded: has_ended
      }))
    },
    forget: async (flowId, session) => (await query(forgetText, [flowId, storableText(session)])).length,
    rate: async ({ flowId, runId, id }, rating) =>
      (await query(rateText, [flowId, storableText(runId), storableText(id), rating])).length > 0,
    async list({ flowId, session, limit, before = THE_END }) {
      const values = [flowId, limit + 1, before.no, before.place]
      const rows = await (session === undefined
        ? query<MessageRow>(ofFlow, values)
        : query<MessageRow>(ofSession, [...values, storableText(session)]))
      return messagePage(rows, limit, storedMessage)
    }
  }
}

function storedMessage(row: MessageRow): StoredMessage {
  const { id, run_id, no, place, session, sender, text, long, rating, created_at } = row
  const message = { id, runId: run_id, at: { no, place }, session, sender, text, createdAt: created_at }
  return { ...message, ...(long !== null && { long }), ...(rating !== null && { rating }) }
}
