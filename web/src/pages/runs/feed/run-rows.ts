import type { RunSummary } from '../../../api/shapes.ts'

/**
 * Runs, newest first. Ids made later sort later, so runs of one millisecond have an order too. A hundred thousand rows
 * are searched by halves and joined end to end where they can be: nothing here goes through all of them for one run.
 */
export type RunRows = readonly RunSummary[]

/** Negative when `a` stands above `b`. */
export function compareRuns(a: RunSummary, b: RunSummary): number {
  if (a.created_at !== b.created_at) return a.created_at > b.created_at ? -1 : 1
  return a.id === b.id ? 0 : a.id > b.id ? -1 : 1
}

/** Where the run stands, or where it would: the first row that does not stand above it. */
export function placeOf(rows: RunRows, run: RunSummary): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareRuns(rows[middle]!, run) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Both together; where both have a run, that of `news` holds. */
export function mergeRuns(rows: RunRows, news: RunRows): RunRows {
  const sorted = news.toSorted(compareRuns)
  const newest = sorted[0]
  if (newest === undefined) return rows
  if (rows.length === 0) return sorted
  if (compareRuns(rows.at(-1)!, newest) < 0) return [...rows, ...sorted]
  if (compareRuns(sorted.at(-1)!, rows[0]!) < 0) return [...sorted, ...rows]
  return interleave(rows, sorted)
}

function interleave(rows: RunRows, news: RunRows): RunRows {
  const merged: RunSummary[] = []
  let at = 0
  for (const run of news) {
    const place = placeOf(rows, run)
    for (; at < place; at++) merged.push(rows[at]!)
    merged.push(run)
    if (rows[at]?.id === run.id) at++
  }
  for (; at < rows.length; at++) merged.push(rows[at]!)
  return merged
}

/** Rows with some of them replaced, each by one of the same id and time. Those that are not there are left out. */
export function replaceRuns(rows: RunRows, changed: Iterable<RunSummary>): RunRows {
  let copy: RunSummary[] | undefined
  for (const run of changed) {
    const place = placeOf(rows, run)
    if (rows[place]?.id !== run.id) continue
    copy ??= [...rows]
    copy[place] = run
  }
  return copy ?? rows
}
