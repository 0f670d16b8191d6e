import type { RunSummary } from '../../../api/shapes.ts'
import type { RunNews } from './run-news.ts'
import { mergeRuns, placeOf, type RunRows, replaceRuns } from './run-rows.ts'

export interface RunJudge {
  /** Whether a run belongs in the list as far as the page can tell. */
  readonly matches: (run: RunSummary) => boolean
  /** False where only the service can tell, as for a search in inputs: it is asked again when something happens. */
  readonly canJudge: boolean
  /** True where a run may come into the list late, as by failing: one that no event has named is then asked for. */
  readonly mayEnterLate: boolean
}

/** Runs in progress that are remembered although the list does not show them. */
const MOST_UNSHOWN = 5_000

export interface LoadedRuns {
  readonly runs: RunRows
  /** What was received while they were on their way: they may be older than that. */
  readonly received: readonly RunNews[]
}

/** The runs that a list knows: shown, fresh, about to leave, or not in it yet. It asks the service nothing. */
export class ListedRuns {
  readonly #judge: RunJudge
  #rows: RunRows = []
  #fresh: RunRows = []
  /** By id: all that is shown or fresh. */
  #known = new Map<string, RunSummary>()
  /** Open runs that do not match yet. */
  readonly #unshown = new Map<string, RunSummary>()
  /** Rows that changed so that they do not match any more; they go when nobody is reading. */
  #leaving = new Set<string>()

  constructor(judge: RunJudge) {
    this.#judge = judge
  }

  get rows(): RunRows {
    return this.#rows
  }

  /** Those that are not shown before somebody lets them in. */
  get fresh(): RunRows {
    return this.#fresh
  }

  get isSettled(): boolean {
    return this.#fresh.length === 0 && this.#leaving.size === 0
  }

  get(id: string): RunSummary | undefined {
    return this.#known.get(id)
  }

  /** The row of a run, or -1 where it is not shown. */
  indexOf(id: string): number {
    const run = this.#known.get(id)
    if (run === undefined) return -1
    const place = placeOf(this.#rows, run)
    return this.#rows[place]?.id === id ? place : -1
  }

  /** What events tell. True: they do not tell enough, the list has to be asked for again. */
  take(news: readonly RunNews[]): boolean {
    const changed: RunSummary[] = []
    let isLacking = false
    for (const { id, run, changes } of news) {
      const known = this.#known.get(id)
      if (known !== undefined) {
        const now = { ...known, ...changes }
        this.#known.set(id, now)
        changed.push(now)
        if (this.#judge.matches(now)) this.#leaving.delete(id)
        else this.#leaving.add(id)
      } else if (this.#judge.canJudge) {
        isLacking = this.#consider(id, run ?? this.#unshown.get(id), changes) || isLacking
      }
    }
    this.#rows = replaceRuns(this.#rows, changed)
    this.#fresh = replaceRuns(this.#fresh, changed)
    return isLacking
  }

  /** A run that the list does not hold. True: see `take`. */
  #consider(id: string, before: RunSummary | undefined, changes: Partial<RunSummary>): boolean {
    if (before === undefined) return this.#judge.mayEnterLate
    const run = { ...before, ...changes }
    this.#unshown.delete(id)
    if (this.#judge.matches(run)) {
      this.#fresh = mergeRuns(this.#fresh, [run])
      this.#known.set(id, run)
      // No event tells what was sent; the list does.
      return true
    }
    if (run.finished_at === null) this.#remember(run)
    return false
  }

  #remember(run: RunSummary): void {
    this.#unshown.set(run.id, run)
    if (this.#unshown.size > MOST_UNSHOWN) this.#unshown.delete(this.#unshown.keys().next().value!)
  }

  /** Shows what is fresh and lets go what is leaving: rows move. */
  settle(): void {
    this.#rows = mergeRuns(this.#rows, this.#fresh)
    this.#fresh = []
    if (this.#leaving.size === 0) return
    this.#rows = this.#rows.filter(({ id }) => !this.#leaving.has(id))
    for (const id of this.#leaving) this.#known.delete(id)
    this.#leaving = new Set()
  }

  /** The first page. Of what was there before, only that stays which is newer than the end of the page. */
  beginWith(page: LoadedRuns, { isComplete }: { readonly isComplete: boolean }): void {
    const runs = this.#admit(page)
    const before = mergeRuns(this.#rows, this.#fresh)
    const oldest = runs.at(-1)
    const newer = oldest === undefined || isComplete ? before : before.slice(0, placeOf(before, oldest))
    this.#rows = mergeRuns(
      newer.filter((run) => this.#judge.canJudge && !this.#leaving.has(run.id)),
      runs
    )
    this.#fresh = []
    this.#leaving = new Set()
    this.#known = new Map(this.#rows.map((run) => [run.id, run]))
  }

  /** A further page, with older runs. */
  append(page: LoadedRuns): void {
    const runs = this.#admit(page)
    this.#rows = mergeRuns(
      this.#rows,
      runs.filter((run) => this.#fresh[placeOf(this.#fresh, run)]?.id !== run.id)
    )
  }

  /** The first page once more: rows change in place, and what is new to the list is fresh. */
  renewHead(page: LoadedRuns): void {
    const runs = this.#admit(page)
    this.#rows = replaceRuns(this.#rows, runs)
    this.#fresh = mergeRuns(
      this.#fresh,
      runs.filter(({ id }) => this.indexOf(id) < 0)
    )
  }

  #admit(page: LoadedRuns): RunSummary[] {
    const byId = new Map(page.runs.map((run) => [run.id, withStart(run, this.#known.get(run.id))]))
    for (const { id, changes } of page.received) {
      const run = byId.get(id)
      if (run !== undefined) byId.set(id, { ...run, ...changes })
    }
    const runs = [...byId.values()]
    for (const run of runs) {
      this.#known.set(run.id, run)
      this.#unshown.delete(run.id)
    }
    this.#fresh = replaceRuns(this.#fresh, runs)
    return runs
  }
}

/** A list does not tell when an open run began; an event may have. */
function withStart(run: RunSummary, before: RunSummary | undefined): RunSummary {
  if (run.started_at !== null || (run.status !== 'in progress' && run.status !== 'waiting')) return run
  return { ...run, started_at: before?.started_at ?? null }
}
