import type { SessionNote, SessionStore } from '../sessions.ts'
import { anyRow, type LibraryDatabase, rows } from './library-database.ts'

interface NoteRow {
  readonly session: string
  readonly title: string | null
  readonly summary: string | null
  readonly up_to_no: number | null
  readonly up_to_place: number | null
  readonly run_id: string | null
}

const entitleText = `
  INSERT INTO session_notes (flow_id, session, title) VALUES (?, ?, ?)
  ON CONFLICT (flow_id, session) DO UPDATE SET title = excluded.title`

/** -1: there is no summary yet. */
const summarizeText = `
  INSERT INTO session_notes (flow_id, session, summary, up_to_no, up_to_place, run_id) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (flow_id, session) DO UPDATE SET summary = excluded.summary, up_to_no = excluded.up_to_no,
    up_to_place = excluded.up_to_place, run_id = excluded.run_id
  WHERE coalesce(session_notes.up_to_no, -1) = ? AND coalesce(session_notes.up_to_place, -1) = ?
  RETURNING 1`

/** One that was named stays, without what was summed up. */
const staleText = `
  SELECT n.flow_id, n.session FROM session_notes n
  WHERE n.run_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.id = n.run_id) LIMIT ?`
const withoutSummaryText = `
  UPDATE session_notes SET summary = NULL, up_to_no = NULL, up_to_place = NULL, run_id = NULL
  WHERE flow_id = ? AND session = ?`
const emptyText = 'DELETE FROM session_notes WHERE flow_id = ? AND session = ? AND title IS NULL'

/** Names and summaries of sessions, which no process holds in memory. */
export function createSessionStore(db: LibraryDatabase): SessionStore {
  const notesText = `
    SELECT session, title, summary, up_to_no, up_to_place, run_id FROM session_notes
    WHERE flow_id = ? AND ${db.dialect.isListed('session')}`

  // Kept until the end: who deletes the session meanwhile waits, and finds the summary that comes of it.
  const summedUpText = `
    SELECT 1 FROM messages
    WHERE no = ? AND run_seq = (SELECT seq FROM runs WHERE id = ?) AND session = ? LIMIT 1${db.dialect.forKeyShare}`

  return {
    notes: async (flowId, sessions) =>
      (await db.read(() => rows<NoteRow>(notesText, flowId, JSON.stringify(sessions)))).map(noteOf),
    entitle: (flowId, session, title) =>
      db.writeUnheld(function* () {
        yield* rows(entitleText, flowId, session, title)
        if (title === null) yield* rows(`${emptyText} AND summary IS NULL`, flowId, session)
      }),
    summarize: (flowId, session, { text, upTo, runId }, after) =>
      db.writeUnheld(function* () {
        if (!(yield* anyRow(summedUpText, upTo.no, runId, session))) return false
        const { no, place } = after ?? { no: -1, place: -1 }
        const values = [flowId, session, text, upTo.no, upTo.place, runId, no, place]
        return yield* anyRow(summarizeText, ...values)
      }, text.length),
    forget: (flowId, session) =>
      db.writeUnheld(function* () {
        yield* rows('DELETE FROM session_notes WHERE flow_id = ? AND session = ?', flowId, session)
      }),
    sweep: (slice) =>
      db.writeUnheld(function* () {
        const stale = yield* rows<{ flow_id: string; session: string }>(staleText, slice)
        for (const { flow_id, session } of stale) {
          yield* rows(withoutSummaryText, flow_id, session)
          yield* rows(emptyText, flow_id, session)
        }
        return stale.length
      })
  }
}

function noteOf({ session, title, summary, up_to_no, up_to_place, run_id }: NoteRow): SessionNote {
  const isSummedUp = summary !== null && up_to_no !== null && up_to_place !== null && run_id !== null
  const upTo = { no: up_to_no!, place: up_to_place! }
  return { session, title, summary: isSummedUp ? { text: summary, upTo, runId: run_id } : null }
}
