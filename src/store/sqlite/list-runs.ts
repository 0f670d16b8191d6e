import type { DatabaseSync } from 'node:sqlite'
import { jsonSpellings } from '../json-spellings.ts'
import type { RunFilter, RunSummary } from '../store.ts'
import type { BlockTimes } from './block-times.ts'
import { numbersOfFlows } from './interned-names.ts'
import type { OpenRuns } from './open-runs.ts'
import { createPauser } from './pauser.ts'
import { runSummary, type SummaryRow, summaryColumns } from './run-rows.ts'
import { prepareSources } from './run-sources.ts'

export interface RunPage {
  readonly runs: RunSummary[]
  readonly next: number | null
}

/** Rows checked in one statement: with the largest inputs (1 MB) a text search holds the loop some 30 ms. */
const checkedAtOnce = 32

/**
 * Candidates come from a source and are checked against the whole filter in small groups, with pauses, until
 * the page is full or the source is dry. `next` is null when no candidate is left; it may promise a page that
 * turns out empty, because to know better the rest of the table would have to be searched now.
 *
 * Text is compared without regard to case for ASCII letters only, which is what SQLite's lower() does. LIKE
 * was refused: its wildcards need escaping, it stops at a NUL byte and refuses long patterns.
 */
export function prepareList(db: DatabaseSync, blockTimes: BlockTimes, open: OpenRuns) {
  const sources = prepareSources(db, open)
  const check = db.prepare(
    `SELECT ${summaryColumns}
     FROM json_each(?1) AS candidate
     CROSS JOIN runs r ON r.seq = candidate.value
     LEFT JOIN outcomes o ON o.seq = r.seq
     WHERE (?2 IS NULL OR r.flow IN ${numbersOfFlows('?2')})
       AND (?3 IS NULL OR coalesce(o.status, 'open') = ?3)
       AND (?4 IS NULL OR r.created_at >= ?4)
       AND (?5 IS NULL OR r.created_at < ?5)
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
      spellings.length === 0 ? null : JSON.stringify(spellings)
    ) as unknown as SummaryRow[]
    return rows.map(runSummary)
  }

  return async (filter: RunFilter): Promise<RunPage> => {
    const range = rangeOf(filter, blockTimes)
    const runs: RunSummary[] = []
    if (range === null || filter.limit <= 0) return { runs, next: null }
    const pause = createPauser()
    const source = sources(filter, range.below)
    for (const seqs of source) {
      for (let at = 0; at < seqs.length; at += checkedAtOnce) {
        if (seqs[at]! < range.from) return { runs, next: null }
        const found = matching(filter, seqs.slice(at, at + checkedAtOnce))
        runs.push(...found.slice(0, filter.limit - runs.length))
        if (runs.length === filter.limit) return { runs, next: cursorAfter(runs, seqs, source) }
        await pause()
      }
      await pause()
    }
    return { runs, next: null }
  }
}

function rangeOf(filter: RunFilter, blockTimes: BlockTimes) {
  const before = filter.before ?? Number.MAX_SAFE_INTEGER
  if (filter.since === undefined && filter.until === undefined) return { from: 0, below: before }
  const range = blockTimes.within(filter.since, filter.until)
  return range === null ? null : { from: range.from, below: Math.min(before, range.below) }
}

/** The last run of a full page, when there are candidates after it. */
function cursorAfter(runs: readonly RunSummary[], seqs: readonly number[], source: Generator<number[]>) {
  const last = runs[runs.length - 1]!.seq
  if (seqs[seqs.length - 1]! < last) return last
  for (const rest of source) if (rest.length > 0) return last
  return null
}
