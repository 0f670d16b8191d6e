import type { DatabaseSync } from 'node:sqlite'
import type { ModelUsage } from '../../model-usage.ts'
import { numbersOfNames } from '../file/interned-names.ts'
import { BLOCK_LENGTH } from './block-times.ts'

type UsageRow = readonly [createdAt: number, model: string, input: number, cached: number, output: number]

/** Of one run, at the time at which it was accepted. */
export interface UsageAt extends ModelUsage {
  readonly at: number
}

/** A run that was opened again ends with what its earlier steps used too: it takes the place of what was kept then. */
export function prepareKeepUsage(db: DatabaseSync) {
  const put = db.prepare('INSERT OR REPLACE INTO model_usage VALUES (?, ?, ?, ?, ?)')
  return (seq: number, { model, input, cached, output }: ModelUsage): void => {
    put.run(seq, model, input, cached, output)
  }
}

/** The time from which and the time before which the runs in question were accepted. */
interface TimeSpan {
  readonly from: number
  readonly until: number
}

/** Reads a block of runs at a time, and none where nobody asks a model. */
export function prepareReadUsage(db: DatabaseSync) {
  const range = db.prepare('SELECT min(run_seq) AS first, max(run_seq) AS last FROM model_usage')
  const ofAll = db.prepare(rows(''))
  const ofFlows = db.prepare(rows(`AND r.flow IN ${numbersOfNames('?5')}`))
  for (const statement of [ofAll, ofFlows]) statement.setReturnArrays(true)

  return ({ from, until }: TimeSpan, flowIds: readonly string[] | undefined) => {
    const { first, last } = range.get() as { first: number | null; last: number | null }
    return (block: number): UsageAt[] => {
      if (first === null || last! < block || first >= block + BLOCK_LENGTH) return NONE
      const found =
        flowIds === undefined
          ? ofAll.all(block, block + BLOCK_LENGTH, from, until)
          : ofFlows.all(block, block + BLOCK_LENGTH, from, until, JSON.stringify(flowIds))
      return (found as unknown as UsageRow[]).map(usageOf)
    }
  }
}

const NONE: UsageAt[] = []

function rows(whose: string): string {
  return `
    SELECT r.created_at, u.model, u.input_tokens, u.cached_tokens, u.output_tokens
    FROM model_usage u CROSS JOIN runs r ON r.seq = u.run_seq
    WHERE u.run_seq >= ?1 AND u.run_seq < ?2 AND r.created_at >= ?3 AND r.created_at < ?4
      AND r.is_test IS NULL ${whose}`
}

function usageOf([at, model, input, cached, output]: UsageRow): UsageAt {
  return { at, model, input, cached, output }
}
