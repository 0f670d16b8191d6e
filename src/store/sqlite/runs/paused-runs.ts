import type { DatabaseSync } from 'node:sqlite'
import { IS_PAUSED } from './queue-rows.ts'

/** Counts from the index, in flows that somebody names. */
export function prepareCountPaused(db: DatabaseSync): (flowIds: readonly string[]) => Map<string, number> {
  const count = db.prepare(
    `SELECT flow_id, count(*) AS runs FROM queue
     WHERE ${IS_PAUSED} AND flow_id IN (SELECT value FROM json_each(?)) GROUP BY flow_id`
  )
  return (flowIds) => {
    const rows = count.all(JSON.stringify(flowIds)) as { flow_id: string; runs: number }[]
    return new Map(rows.map(({ flow_id, runs }) => [flow_id, runs]))
  }
}
