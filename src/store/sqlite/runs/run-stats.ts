import type { DatabaseSync } from 'node:sqlite'
import { InTurn } from '../../in-turn.ts'
import { type ModelUsage, mostUsed, NO_USAGE, usageByModel } from '../../model-usage.ts'
import type { RunStats, StatsQuestion } from '../../stats.ts'
import type { EndStatus } from '../../store.ts'
import { numbersOfNames } from '../file/interned-names.ts'
import { BLOCK_LENGTH, type BlockTimes } from './block-times.ts'
import { DurationHistogram } from './duration-histogram.ts'
import { prepareReadUsage, type UsageAt } from './model-usage.ts'
import type { ReadTurns } from './read-turns.ts'

type StatsRow = readonly [
  createdAt: number,
  status: EndStatus | null,
  startedAt: number | null,
  finishedAt: number
]

/**
 * Counts run by run, a block at a time, and from those blocks only that can hold a run of the time in
 * question. A table of sums would answer at once, and would be one more write for every run that ends; nobody
 * asks this ten thousand times a second.
 *
 * One question after the other: ten that are asked together take no more of each turn of the loop than one.
 */
export function prepareStats(db: DatabaseSync, blockTimes: BlockTimes, turns: ReadTurns) {
  const ofAll = db.prepare(counted('r.seq >= ?1 AND r.seq < ?2'))
  const ofFlows = db.prepare(counted(`r.block = ?1 / ${BLOCK_LENGTH} AND r.flow IN ${numbersOfNames('?3')}`))
  for (const statement of [ofAll, ofFlows]) statement.setReturnArrays(true)
  const readUsage = prepareReadUsage(db)
  const inTurn = new InTurn()

  async function count(question: StatsQuestion): Promise<RunStats[]> {
    const { from, width, spans, flowIds } = question
    const until = from + width * spans
    const tallies = Array.from({ length: spans }, () => new Tally())
    const range = blockTimes.within(from, until)
    const [statement, flows] =
      flowIds === undefined ? [ofAll, null] : ([ofFlows, JSON.stringify(flowIds)] as const)
    const usageIn = readUsage({ from, until }, flowIds)
    const tallyAt = (at: number) => tallies[Math.floor((at - from) / width)]!
    const pause = turns.begin()
    for (let at = range?.from ?? 0; at < (range?.below ?? 0); at += BLOCK_LENGTH) {
      await pause()
      const rows = statement.all(at, at + BLOCK_LENGTH, flows, from, until) as unknown as StatsRow[]
      for (const row of rows) tallyAt(row[0]).add(row)
      for (const usage of usageIn(at)) tallyAt(usage.at).use(usage)
    }
    const usages = mostUsed(tallies.map((tally) => tally.usage()))
    return tallies.map((tally, span) => ({ ...tally.stats(), usage: usages[span]! }))
  }

  return (question: StatsQuestion): Promise<RunStats[]> => inTurn.do(() => count(question))
}

function counted(which: string): string {
  return `
    SELECT r.created_at, o.status, o.started_at, o.finished_at
    FROM runs r LEFT JOIN outcomes o ON o.seq = r.seq
    WHERE ${which} AND r.created_at >= ?4 AND r.created_at < ?5 AND r.is_test IS NULL AND r.is_child IS NULL`
}

class Tally {
  readonly #counts = { succeeded: 0, failed: 0, cancelled: 0, open: 0 }
  /** Made when it is needed: most spans of a quiet service have no run. */
  #durations: DurationHistogram | undefined
  #usages: UsageAt[] | undefined

  add([, status, startedAt, finishedAt]: StatsRow): void {
    this.#counts[status ?? 'open']++
    if (status === null || startedAt === null) return
    this.#durations ??= new DurationHistogram()
    this.#durations.add(finishedAt - startedAt)
  }

  use(usage: UsageAt): void {
    this.#usages ??= []
    this.#usages.push(usage)
  }

  usage(): readonly ModelUsage[] {
    return this.#usages === undefined ? NO_USAGE : usageByModel(this.#usages)
  }

  stats(): Omit<RunStats, 'usage'> {
    const percentile = (part: number) => this.#durations?.percentile(part) ?? null
    return { ...this.#counts, p50: percentile(0.5), p99: percentile(0.99) }
  }
}
