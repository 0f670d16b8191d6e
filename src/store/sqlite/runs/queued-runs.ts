import type { DatabaseSync } from 'node:sqlite'
import type { PageLimit, QueuedPage } from '../../store.ts'
import { NEVER } from '../../waits.ts'
import type { OpenRuns } from './open-runs.ts'
import { IS_PARKED, IS_STORED_ALONE } from './queue-rows.ts'
import { prepareReadPage } from './read-run-page.ts'

/** Unfinished runs: what is queued, what is parked and what is due. */
export function prepareQueue(db: DatabaseSync, open: OpenRuns) {
  const readPage = prepareReadPage(db)
  const due = db.prepare(
    `SELECT seq FROM queue WHERE flow_id = ? AND ${IS_PARKED} AND due_at <= ? ORDER BY due_at, seq LIMIT ?`
  )
  const earliest = db.prepare(`SELECT min(due_at) AS at FROM queue WHERE due_at > ? AND due_at < ${NEVER}`)
  // From one flow to the next in the index: its cost is by flows and not by runs.
  const flows = db.prepare(
    `WITH RECURSIVE flows (id) AS (
       SELECT min(flow_id) FROM queue WHERE ${IS_STORED_ALONE}
       UNION ALL
       SELECT (SELECT min(flow_id) FROM queue WHERE ${IS_STORED_ALONE} AND flow_id > flows.id)
       FROM flows WHERE flows.id IS NOT NULL
     )
     SELECT id FROM flows WHERE id IS NOT NULL
       AND EXISTS (SELECT 1 FROM queue WHERE flow_id = flows.id AND ${IS_PARKED} AND due_at <= ?)`
  )

  return {
    queued(flowId: string, after: number, limit: PageLimit): QueuedPage {
      return readPage(flowId, open.queued(flowId, after, limit.runs), limit)
    },

    nextDue(after: number): number | null {
      return (earliest.get(after) as { at: number | null }).at
    },

    flowsDue(now: number): string[] {
      return (flows.all(now) as { id: string }[]).map(({ id }) => id)
    },

    /** To be called inside a batch. A crash after it leaves the runs queued, not parked: none is forgotten. */
    takeDue(flowId: string, now: number, limit: PageLimit): QueuedPage {
      const rows = due.all(flowId, now, limit.runs) as { seq: number }[]
      const page = readPage(
        flowId,
        rows.map(({ seq }) => seq),
        limit
      )
      // Whoever is queued has been taken up already.
      const runs = page.runs.filter((run) => !open.isQueued(run))
      for (const run of page.runs) open.unparked(run)
      return { ...page, runs }
    }
  }
}
