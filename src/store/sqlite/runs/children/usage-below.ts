import type { DatabaseSync } from 'node:sqlite'
import { type ModelUsage, NO_USAGE, usageByModel } from '../../../model-usage.ts'
import type { ReadTurns } from '../read-turns.ts'

const CHUNK = 512

/** What the runs below one used, of those that it waited for: in chunks, since there may be a hundred thousand. */
export function prepareUsageBelow(db: DatabaseSync, turns: ReadTurns) {
  const last = db.prepare('SELECT max(run_seq) AS last FROM model_usage')
  const childrenOf = db.prepare(
    `SELECT seq FROM children WHERE parent_seq = ? AND seq > ? AND is_awaited = 1 ORDER BY seq LIMIT ${CHUNK}`
  )
  const parentsAmong = db.prepare(
    'SELECT DISTINCT parent_seq FROM children WHERE parent_seq IN (SELECT value FROM json_each(?))'
  )
  const usageOf = db.prepare(
    `SELECT model, sum(input_tokens) AS input, sum(cached_tokens) AS cached, sum(output_tokens) AS output
     FROM model_usage WHERE run_seq IN (SELECT value FROM json_each(?)) GROUP BY model`
  )
  for (const statement of [childrenOf, parentsAmong]) statement.setReturnArrays(true)

  return async (seq: number): Promise<readonly ModelUsage[]> => {
    // Children are younger than their parents. Where nobody asks a model, that is all that is looked at.
    const { last: youngest } = last.get() as { last: number | null }
    if (youngest === null || youngest < seq) return NO_USAGE
    const usages: ModelUsage[] = []
    const parents = [seq]
    const pause = turns.begin()
    for (let parent = parents.pop(); parent !== undefined; parent = parents.pop())
      for (let after: number | undefined = 0; after !== undefined; ) {
        await pause()
        const found: number[] = (childrenOf.all(parent, after) as unknown as [number][]).map(
          ([child]) => child
        )
        const listed = JSON.stringify(found)
        usages.push(...(usageOf.all(listed) as unknown as ModelUsage[]))
        for (const [child] of parentsAmong.all(listed) as unknown as [number][]) parents.push(child)
        after = found.at(-1)
      }
    return usageByModel(usages)
  }
}
