import type { DatabaseSync } from 'node:sqlite'
import type { FoundSession, MessageStore, SessionPlace, SpeakingRun } from '../../message-store.ts'
import { flowIdOf, numberOfName } from '../file/interned-names.ts'
import { blockOf } from './block-times.ts'
import type { ReadTurns } from './read-turns.ts'
import type { RunRowBuffers } from './run-row-buffers.ts'

interface SpeakerRow {
  readonly seq: number
  readonly id: string
  readonly flow_id: string
  readonly has_ended: 0 | 1
}

/**
 * Sessions have no table of their own, which every message would have to keep true: they are found block by block in the index of
 * messages. Who talks to a flow comes back to it, so the newest blocks have the sessions that a page shows.
 */
export function prepareSessions(
  db: DatabaseSync,
  turns: ReadTurns
): Pick<MessageStore, 'sessions' | 'speakers'> {
  const flow = numberOfName('?2')
  const nextBlock = db.prepare('SELECT max(block) AS block FROM messages WHERE block < ?')
  const inBlock = db.prepare(`
    SELECT session, max(no) AS no FROM messages WHERE block = ?1 AND flow = ${flow} AND no < ?3
    GROUP BY session ORDER BY 2 DESC`)
  const isIn = db.prepare(
    `SELECT 1 FROM messages WHERE block = ?1 AND flow = ${flow} AND session = ?3 AND no >= ?4 LIMIT 1`
  )
  const tally = db.prepare(`
    SELECT count(*) AS messages, min(no) AS first, max(no) AS last FROM messages
    WHERE block = ?1 AND flow = ${flow} AND session = ?3`)
  const times = db.prepare('SELECT no, created_at FROM messages WHERE no IN (?, ?)')
  const saidBy = db.prepare(
    `SELECT DISTINCT run_seq AS seq FROM messages WHERE block = ?1 AND flow = ${flow} AND session = ?3`
  )
  const topmost = db.prepare(`
    WITH RECURSIVE above (seq, height) AS (
      SELECT ?1, 0
      UNION ALL
      SELECT c.parent_seq, height + 1 FROM above a JOIN children c ON c.seq = a.seq JOIN runs p ON p.seq = c.parent_seq
    )
    SELECT r.seq, r.id, ${flowIdOf('r')}, EXISTS (SELECT 1 FROM outcomes o WHERE o.seq = r.seq) AS has_ended
    FROM (SELECT seq FROM above ORDER BY height DESC LIMIT 1) AS top JOIN runs r ON r.seq = top.seq`)

  /** From the newest on; `visit` says when it has enough. */
  async function blocksBelow(end: number, visit: (block: number) => boolean): Promise<void> {
    const pause = turns.begin()
    for (let below = end; ; ) {
      await pause()
      const { block } = nextBlock.get(below) as { block: number | null }
      if (block === null || visit(block)) return
      below = block
    }
  }

  const END = Number.MAX_SAFE_INTEGER

  async function newest(flowId: string, limit: number, before: number): Promise<SessionPlace[]> {
    const found = new Map<string, number>()
    const later: number[] = []
    if (before < END)
      await blocksBelow(END, (block) => {
        if (block < blockOf(before)) return true
        later.push(block)
        return false
      })
    const isLater = (session: string) =>
      later.some((block) => isIn.get(block, flowId, session, before) !== undefined)
    await blocksBelow(blockOf(before) + 1, (block) => {
      for (const { session, no } of inBlock.all(block, flowId, before) as unknown as SessionPlace[])
        if (found.size <= limit && !found.has(session) && !isLater(session)) found.set(session, no)
      return found.size > limit
    })
    return [...found].map(([session, no]) => ({ session, no }))
  }

  async function countIn(flowId: string, session: string): Promise<FoundSession> {
    let messages = 0
    let [first, last] = [END, 0]
    await blocksBelow(END, (block) => {
      const row = tally.get(block, flowId, session) as { messages: number; first: number; last: number }
      if (row.messages === 0) return false
      messages += row.messages
      first = Math.min(first, row.first)
      last = Math.max(last, row.last)
      return false
    })
    const at = new Map(
      (times.all(first, last) as { no: number; created_at: number }[]).map((row) => [row.no, row.created_at])
    )
    return { session, messages, firstAt: at.get(first) ?? 0, lastAt: at.get(last) ?? 0 }
  }

  return {
    async sessions({ flowId, limit, before }) {
      const places = await newest(flowId, limit, before?.no ?? END)
      const shown = places.slice(0, limit)
      const sessions: FoundSession[] = []
      for (const { session } of shown) sessions.push(await countIn(flowId, session))
      return { sessions, next: places.length > limit ? shown.at(-1)! : null }
    },

    async speakers(flowId, session) {
      const seqs = new Set<number>()
      await blocksBelow(END, (block) => {
        for (const { seq } of saidBy.all(block, flowId, session) as { seq: number }[]) seqs.add(seq)
        return false
      })
      const tops = new Map<number, SpeakingRun>()
      const pause = turns.begin()
      for (const seq of seqs) {
        await pause()
        const row = topmost.get(seq) as unknown as SpeakerRow | undefined
        if (row === undefined) continue
        const { id, flow_id: flowId, has_ended } = row
        tops.set(row.seq, { seq: row.seq, id, flowId, hasEnded: has_ended === 1 })
      }
      return [...tops.values()]
    }
  }
}

/** To be called inside a batch, until there is no further block. */
export function prepareForget(db: DatabaseSync, rows: Pick<RunRowBuffers, 'messages'>) {
  const nextBlock = db.prepare('SELECT max(block) AS block FROM messages WHERE block < ?')
  const forget = db.prepare(
    `DELETE FROM messages WHERE block = ?1 AND flow = ${numberOfName('?2')} AND session = ?3`
  )
  return (flowId: string, session: string, below: number): { gone: number; block: number | null } => {
    // What another write of this batch has brought is in no table yet.
    rows.messages.flush()
    const { block } = nextBlock.get(below) as { block: number | null }
    return { gone: block === null ? 0 : Number(forget.run(block, flowId, session).changes), block }
  }
}
