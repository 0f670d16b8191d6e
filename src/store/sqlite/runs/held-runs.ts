import type { DatabaseSync } from 'node:sqlite'

/** Counts from the index of what is held, in flows that somebody names. */
export function prepareCountHeld(db: DatabaseSync): (flowIds: readonly string[]) => Map<string, number> {
  const count = db.prepare(
    `SELECT flow_id, count(*) AS runs FROM queue
     WHERE held = 1 AND flow_id IN (SELECT value FROM json_each(?)) GROUP BY flow_id`
  )
  return (flowIds) => {
    const rows = count.all(JSON.stringify(flowIds)) as { flow_id: string; runs: number }[]
    return new Map(rows.map(({ flow_id, runs }) => [flow_id, runs]))
  }
}
