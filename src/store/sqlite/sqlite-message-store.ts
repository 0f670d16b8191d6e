import type { DatabaseSync } from 'node:sqlite'
import type { MessageStore, StoredMessage } from '../store.ts'
import { numberOfFlow } from './interned-names.ts'
import type { ReadTurns } from './read-turns.ts'

interface MessageRow {
  readonly no: number
  readonly id: string
  readonly run_id: string
  readonly session: string
  readonly sender: string
  readonly text: string
  readonly created_at: number
}

/**
 * Messages have numbers of their own, in the order in which their runs ended; the newest ones are taken by
 * that number and then put in the order of printing, which differs when runs overlap.
 */
export function createMessageStore(db: DatabaseSync, turns: ReadTurns): MessageStore {
  const newest = db.prepare('SELECT max(stretch) AS stretch FROM messages WHERE stretch < ?')
  const ofFlow = db.prepare(newestIn(`stretch = ? AND flow = ${numberOfFlow('?')}`))
  const ofSession = db.prepare(newestIn(`stretch = ? AND flow = ${numberOfFlow('?')} AND session = ?`))

  function inStretch(stretch: number, flowId: string, session: string | undefined, limit: number) {
    const rows =
      session === undefined
        ? ofFlow.all(stretch, flowId, limit)
        : ofSession.all(stretch, flowId, session, limit)
    return rows as unknown as MessageRow[]
  }

  return {
    async list(flowId, session, limit) {
      const found: MessageRow[] = []
      const pause = turns.begin()
      let below = Number.MAX_SAFE_INTEGER
      while (found.length < limit) {
        await pause()
        const { stretch } = newest.get(below) as { stretch: number | null }
        if (stretch === null) break
        found.push(...inStretch(stretch, flowId, session, limit - found.length))
        below = stretch
      }
      found.sort((a, b) => a.created_at - b.created_at || a.no - b.no)
      return found.map(storedMessage)
    }
  }
}

/**
 * The numbers are chosen from the index alone; only the chosen messages are read. `+ 0`: SQLite looks at a
 * bare parameter of LIMIT while it plans, and so plans anew at every call (25 µs).
 */
function newestIn(where: string): string {
  return `
    SELECT m.no, m.id, r.id AS run_id, m.session, m.sender, m.text, m.created_at
    FROM (SELECT no FROM messages WHERE ${where} ORDER BY no DESC LIMIT ? + 0) AS chosen
    CROSS JOIN messages m ON m.no = chosen.no
    CROSS JOIN runs r ON r.seq = m.run_seq`
}

function storedMessage(row: MessageRow): StoredMessage {
  return {
    id: row.id,
    runId: row.run_id,
    session: row.session,
    sender: row.sender,
    text: row.text,
    createdAt: row.created_at
  }
}
