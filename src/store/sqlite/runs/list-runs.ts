import type { DatabaseSync } from 'node:sqlite'
import { jsonSpellings } from '../../json-spellings.ts'
import type { Effort, FoundRun, RunFilter, RunSummary } from '../../store.ts'
import { numbersOfNames } from '../file/interned-names.ts'
import type { BlockTimes } from './block-times.ts'
import { prepareInputStarts } from './input-starts.ts'
import type { OpenRuns } from './open-runs.ts'
import type { ReadTurns } from './read-turns.ts'
import { runSummary, type SummaryRow, summaryColumns } from './run-rows.ts'
import { prepareSources } from './run-sources.ts'

interface FoundPage {
  readonly runs: FoundRun[]
  readonly next: number | null
}

interface RunPage {
  readonly runs: RunSummary[]
  readonly next: number | null
}

/** Rows checked in one statement. Those with the largest inputs (1 MB) take a millisecond each to be searched. */
const mostAtOnce = 64
const fewAtOnce = 4
const quickMs = 1
const slowMs = 3

const NO_LIMIT: Effort = { runs: Number.POSITIVE_INFINITY, ms: Number.POSITIVE_INFINITY }

interface ListParts {
  readonly blockTimes: BlockTimes
  readonly open: OpenRuns
  readonly turns: ReadTurns
  readonly stopwatch: () => number
}

/**
 * Candidates come from a source and are checked against the whole filter in small groups, with pauses, until
 * the page is full or the source is dry. `next` is null when no candidate is left; it may promise a page that
 * turns out empty, because to know better the rest of the table would have to be searched now.
 *
 * Text is compared without regard to case for ASCII letters only, which is what SQLite's lower() does. LIKE
 * was refused: its wildcards need escaping, it stops at a NUL byte and refuses long patterns.
 */
export function prepareList(db: DatabaseSync, { blockTimes, open, turns, stopwatch }: ListParts) {
  const sources = prepareSources(db, open)
  const withInputStarts = prepareInputStarts(db, turns)
  const check = db.prepare(
    `SELECT ${summaryColumns}
     FROM json_each(?1) AS candidate
     CROSS JOIN runs r ON r.seq = candidate.value
     LEFT JOIN outcomes o ON o.seq = r.seq
     WHERE (?2 IS NULL OR r.flow IN ${numbersOfNames('?2')})
       AND (?3 IS NULL OR coalesce(o.status, 'open') = ?3 OR (?3 = 'waiting' AND standing = 'waiting')
         OR (?3 = 'not waiting' AND o.status IS NULL AND standing IS NOT 'waiting'))
       AND (?4 IS NULL OR r.created_at >= ?4)
       AND (?5 IS NULL OR r.created_at < ?5)
       AND (?8 IS NULL OR (r.is_test IS NOT NULL) = ?8)
       AND (?9 OR r.is_child IS NULL)
       AND (?6 IS NULL
         OR substr(lower(r.id), 1, length(?6)) = lower(?6)
         OR instr(lower(CAST(r.input AS TEXT)), lower(?6)) > 0
         OR instr(lower(o.error), lower(?6)) > 0
         OR (?7 IS NOT NULL AND EXISTS (
           SELECT 1 FROM json_each(?7) AS spelling
           WHERE instr(lower(CAST(r.input AS TEXT)), lower(spelling.value)) > 0
             OR instr(lower(o.error), lower(spelling.value)) > 0)))
     ORDER BY r.seq DESC`
  )

  function matching(filter: RunFilter, seqs: readonly number[]): RunSummary[] {
    const spellings = filter.text === undefined ? [] : jsonSpellings(filter.text)
    const rows = check.all(
      JSON.stringify(seqs),
      filter.flowIds === undefined ? null : JSON.stringify(filter.flowIds),
      filter.status ?? null,
      filter.since ?? null,
      filter.until ?? null,
      filter.text ?? null,
      spellings.length === 0 ? null : JSON.stringify(spellings),
      filter.isTest === undefined ? null : Number(filter.isTest),
      Number(filter.parentSeq !== undefined)
    ) as unknown as SummaryRow[]
    return rows.map(runSummary)
  }

  async function find(filter: RunFilter): Promise<RunPage> {
    const range = rangeOf(filter, blockTimes)
    const runs: RunSummary[] = []
    if (range === null || filter.limit <= 0) return { runs, next: null }
    const pause = turns.begin()
    const groups = new GroupSizes(filter, stopwatch)
    await pause()
    const source = sources(filter, range.below)
    for (const seqs of source) {
      for (let at = 0; at < seqs.length; ) {
        if (seqs[at]! < range.from) return { runs, next: null }
        const group = seqs.slice(at, at + groups.size)
        const found = groups.measure(group, () => matching(filter, group))
        at += group.length
        runs.push(...found.slice(0, filter.limit - runs.length))
        if (runs.length === filter.limit) return { runs, next: await cursorAfter(runs, seqs, source, pause) }
        if (groups.isSpent) return { runs, next: group.at(-1)! }
        await pause()
      }
      await pause()
    }
    return { runs, next: null }
  }

  return async (filter: RunFilter): Promise<FoundPage> => {
    const { runs, next } = await find(filter)
    return { runs: await withInputStarts(runs), next }
  }
}

/** How many rows are checked in one statement, by how long those before took; and whether that was effort enough. */
class GroupSizes {
  readonly #effort: Effort
  readonly #stopwatch: () => number
  #size: number
  #rows = 0
  #ms = 0

  constructor({ text, effort = NO_LIMIT }: RunFilter, stopwatch: () => number) {
    this.#stopwatch = stopwatch
    this.#effort = effort
    this.#size = text === undefined ? mostAtOnce : fewAtOnce
  }

  get size(): number {
    return Math.max(1, Math.min(this.#size, this.#effort.runs - this.#rows))
  }

  get isSpent(): boolean {
    return this.#rows >= this.#effort.runs || this.#ms >= this.#effort.ms
  }

  measure<T>(group: readonly number[], check: () => T): T {
    const began = this.#stopwatch()
    const result = check()
    const took = this.#stopwatch() - began
    this.#rows += group.length
    this.#ms += took
    if (took > slowMs) this.#size = Math.max(1, this.#size >> 1)
    else if (took < quickMs) this.#size = Math.min(mostAtOnce, this.#size * 2)
    return result
  }
}

function rangeOf(filter: RunFilter, blockTimes: BlockTimes) {
  const before = filter.before ?? Number.MAX_SAFE_INTEGER
  if (filter.since === undefined && filter.until === undefined) return { from: 0, below: before }
  const range = blockTimes.within(filter.since, filter.until)
  return range === null ? null : { from: range.from, below: Math.min(before, range.below) }
}

/** The last run of a full page, when there are candidates after it. */
async function cursorAfter(
  runs: readonly RunSummary[],
  seqs: readonly number[],
  source: Generator<number[]>,
  pause: () => Promise<void>
): Promise<number | null> {
  const last = runs[runs.length - 1]!.seq
  if (seqs[seqs.length - 1]! < last) return last
  for (const rest of source) {
    if (rest.length > 0) return last
    await pause()
  }
  return null
}
