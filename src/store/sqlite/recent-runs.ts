import type { DatabaseSync } from 'node:sqlite'
import type { RunSummary } from '../store.ts'
import { createPauser } from './pauser.ts'
import { runSummary, type SummaryRow, summaryColumns } from './run-rows.ts'
import { stretchLength, stretchOf } from './stretches.ts'

interface Numbered {
  readonly seq: number
  readonly flow_id: string
}

/** Nobody draws more than this many runs beside the name of a flow. */
export const mostRecent = 50

/** Runs read in one statement. */
const readAtOnce = 64

/**
 * The newest runs of each flow. To find those of a flow that seldom runs, all of the index has to be looked at
 * once, with pauses: so their numbers are remembered, and later calls look only at what was accepted since. A
 * run that was deleted meanwhile is simply not found any more; retention deletes the oldest first, so none is
 * missing in the middle.
 */
export function prepareRecent(db: DatabaseSync, lastChange: () => number) {
  const remembered = prepareMemory(db, lastChange)
  const read = db.prepare(
    `SELECT ${summaryColumns} FROM json_each(?) AS chosen
     CROSS JOIN runs r ON r.seq = chosen.value LEFT JOIN outcomes o ON o.seq = r.seq`
  )

  return async (flowIds: readonly string[], limit: number): Promise<Map<string, RunSummary[]>> => {
    const newest = await remembered(flowIds, limit)
    const found = new Map<string, RunSummary[]>()
    const pause = createPauser()
    for (let at = 0; at < newest.length; at += readAtOnce) {
      const rows = read.all(JSON.stringify(newest.slice(at, at + readAtOnce))) as unknown as SummaryRow[]
      for (const row of rows) {
        const runs = found.get(row.flow_id) ?? []
        found.set(row.flow_id, runs)
        runs.push(runSummary(row))
      }
      await pause()
    }
    return found
  }
}

/** The numbers of the newest runs of each flow, newest first. */
function prepareMemory(db: DatabaseSync, lastChange: () => number) {
  const nextStretch = db.prepare('SELECT min(stretch) AS stretch FROM runs WHERE stretch BETWEEN ? AND ?')
  // From the index alone. Its order is flow by flow, and within a flow that of the numbers.
  const inStretch = db.prepare(
    'SELECT seq, flow_id FROM runs WHERE stretch = ? AND seq > ? AND seq <= ? ORDER BY flow_id, seq'
  )
  /** Oldest first. */
  const byFlow = new Map<string, number[]>()
  let seen = 0
  let last: Promise<void> = Promise.resolve()

  async function lookOn(): Promise<void> {
    const pause = createPauser()
    const upTo = lastChange()
    while (seen < upTo) {
      const range = [stretchOf(seen + 1), stretchOf(upTo)] as const
      const { stretch } = nextStretch.get(...range) as { stretch: number | null }
      const rows = stretch === null ? [] : inStretch.all(stretch, seen, upTo)
      for (const row of rows as unknown as Numbered[]) remember(row)
      seen = stretch === null ? upTo : Math.min(upTo, (stretch + 1) * stretchLength - 1)
      await pause()
    }
  }

  function remember({ seq, flow_id }: Numbered): void {
    const seqs = byFlow.get(flow_id)
    if (seqs === undefined) byFlow.set(flow_id, [seq])
    else if (seqs.push(seq) > mostRecent) seqs.shift()
  }

  return async (flowIds: readonly string[], limit: number): Promise<number[]> => {
    // One after the other: two at the same time would remember everything twice.
    const mine = last.then(lookOn)
    last = mine.catch(() => {})
    await mine
    return flowIds.flatMap((flowId) => (byFlow.get(flowId) ?? []).toReversed().slice(0, limit))
  }
}
