import type { DatabaseSync } from 'node:sqlite'
import type { MessageStore, Rating, StoredMessage } from '../../message-store.ts'
import { messagePage } from '../../rows/message-page.ts'
import type { GroupCommit } from '../file/group-commit.ts'
import { numberOfName } from '../file/interned-names.ts'
import { blockOf } from './block-times.ts'
import type { ReadTurns } from './read-turns.ts'
import type { RunRowBuffers } from './run-row-buffers.ts'
import { prepareForget, prepareSessions } from './sessions.ts'

interface MessageRow {
  readonly no: number
  readonly place: 0
  readonly id: string
  readonly run_id: string
  readonly session: string
  readonly sender: string
  readonly text: string
  readonly long: string | null
  readonly rating: Rating | null
  readonly created_at: number
}

interface MessageParts {
  readonly turns: ReadTurns
  readonly commit: Pick<GroupCommit, 'write'>
  readonly rows: Pick<RunRowBuffers, 'messages'>
}

/**
 * Messages have numbers of their own, in the order in which their runs ended; the newest ones are taken by
 * that number and then put in the order of printing, which differs when runs overlap.
 */
export function createMessageStore(db: DatabaseSync, { turns, commit, rows }: MessageParts): MessageStore {
  const newest = db.prepare('SELECT max(block) AS block FROM messages WHERE block < ?')
  const ofFlow = db.prepare(newestIn(`block = ? AND flow = ${numberOfName('?')} AND no < ?`))
  const ofSession = db.prepare(
    newestIn(`block = ? AND flow = ${numberOfName('?')} AND no < ? AND session = ?`)
  )

  const { sessions, speakers } = prepareSessions(db, turns)
  const forget = prepareForget(db, rows)
  const rate = db.prepare(
    `UPDATE messages SET rating = ?4 WHERE run_seq = (SELECT seq FROM runs WHERE id = ?2) AND id = ?3 AND flow = ${numberOfName('?1')}`
  )

  return {
    sessions,
    speakers,
    async forget(flowId, session) {
      let gone = 0
      for (let block: number | null = Number.MAX_SAFE_INTEGER; block !== null; ) {
        const slice = await commit.write(() => forget(flowId, session, block!))
        gone += slice.gone
        block = slice.block
      }
      return gone
    },
    rate: ({ flowId, runId, id }, rating) =>
      commit.write(() => {
        // What another write of this batch has brought is in no table yet.
        rows.messages.flush()
        return rate.run(flowId, runId, id, rating).changes > 0
      }),
    async list({ flowId, session, limit, before }) {
      const found: MessageRow[] = []
      const pause = turns.begin()
      const end = before?.no ?? Number.MAX_SAFE_INTEGER
      let below = blockOf(end) + 1
      while (found.length <= limit) {
        await pause()
        const { block } = newest.get(below) as { block: number | null }
        if (block === null) break
        const wanted = limit + 1 - found.length
        const rows =
          session === undefined
            ? ofFlow.all(block, flowId, end, wanted)
            : ofSession.all(block, flowId, end, session, wanted)
        found.push(...(rows as unknown as MessageRow[]))
        below = block
      }
      return messagePage(found, limit, storedMessage)
    }
  }
}

/**
 * The numbers are chosen from the index alone; only the chosen messages are read. `+ 0`: SQLite looks at a
 * bare parameter of LIMIT while it plans, and so plans anew at every call (25 µs).
 */
function newestIn(where: string): string {
  return `
    SELECT m.no, 0 AS place, m.id, r.id AS run_id, m.session, m.sender, m.text, m.long, m.rating, m.created_at
    FROM (SELECT no FROM messages WHERE ${where} ORDER BY no DESC LIMIT ? + 0) AS chosen
    CROSS JOIN messages m ON m.no = chosen.no
    CROSS JOIN runs r ON r.seq = m.run_seq
    ORDER BY m.no DESC`
}

function storedMessage(row: MessageRow): StoredMessage {
  return {
    id: row.id,
    runId: row.run_id,
    at: { no: row.no, place: row.place },
    session: row.session,
    sender: row.sender,
    text: row.text,
    ...(row.long === null ? {} : { long: row.long }),
    ...(row.rating === null ? {} : { rating: row.rating }),
    createdAt: row.created_at
  }
}
