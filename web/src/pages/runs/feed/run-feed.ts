import type { LiveEvent } from '../../../api/live-event.ts'
import type { RunPage } from '../../../api/runs.ts'
import type { RunSummary } from '../../../api/shapes.ts'
import { newsOf, type RunNews } from './run-news.ts'
import { mergeRuns, placeOf, type RunRows, replaceRuns } from './run-rows.ts'

export interface RunFeedDeps {
  readonly load: (request: { cursor?: string; limit: number; signal: AbortSignal }) => Promise<RunPage>
  /** Whether a run belongs in the list as far as the page can tell. */
  readonly matches: (run: RunSummary) => boolean
  /** False where only the service can tell, as for a search in inputs: it is asked again when something happens. */
  readonly canJudge: boolean
  /** True where a run may come into the list late, as by failing: one that no event has named is then asked for. */
  readonly mayEnterLate: boolean
  readonly startTimer: (ms: number, then: () => void) => () => void
}

/** What the list shows. A new object whenever something changed. */
export interface FeedView {
  readonly rows: RunRows
  /** Runs that wait to be shown, because somebody is reading. */
  readonly fresh: number
  /** False until the first page has come. */
  readonly isReady: boolean
  readonly isLoading: boolean
  /** No run is left to load. */
  readonly isComplete: boolean
  readonly error: unknown
}

const FIRST_PAGE = 100
const PAGE = 500
/** Rows that are kept ready below what is seen, so that scrolling finds them there. */
const AHEAD = 1_500
const ASK_AGAIN_MS = 1_000
/** Runs in progress that are remembered although the list does not show them. */
const MOST_UNSHOWN = 5_000
/** A list that stands open for days on a busy service begins anew. */
const MOST_ROWS = 250_000

/**
 * The runs of one question, page by page from the newest, kept true by live events. Rows never move while somebody
 * reads: new ones wait until they are asked for, or until nobody is in their way.
 */
export class RunFeed {
  readonly #deps: RunFeedDeps
  readonly #watchers = new Set<() => void>()
  readonly #stopping = new AbortController()
  #rows: RunRows = []
  #fresh: RunRows = []
  /** By id: all that is shown or fresh. */
  #known = new Map<string, RunSummary>()
  /** Open runs that do not match yet. */
  readonly #unshown = new Map<string, RunSummary>()
  /** Rows that changed so that they do not match any more; they go when nobody is reading. */
  #leaving = new Set<string>()
  /** Undefined: the next page is the first one. */
  #cursor: string | null | undefined
  #isReady = false
  /** Between the fresh runs and those that are shown there are runs that nobody has told of. */
  #hasGap = false
  #wanted = 0
  #isFrozen = false
  #isLoading = false
  #error: unknown = null
  /** What was received while a page was on its way: the page may be older than that. */
  #received: RunNews[][] = []
  #cancelAsking: (() => void) | undefined
  #view: FeedView

  constructor(deps: RunFeedDeps) {
    this.#deps = deps
    this.#view = this.#makeView()
  }

  readonly view = (): FeedView => this.#view

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  start(): void {
    void this.#fill()
  }

  stop(): void {
    this.#stopping.abort()
    this.#cancelAsking?.()
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

  /** The last row that is seen; what comes below it is loaded in time. */
  see(lastIndex: number): void {
    this.#wanted = lastIndex + AHEAD
    if (this.#error === null) void this.#fill()
  }

  /** Somebody reads: rows stay where they are. */
  freeze(isFrozen: boolean): void {
    this.#isFrozen = isFrozen
    if (!isFrozen) this.showFresh()
  }

  /** Lets in what is fresh, also where somebody reads. */
  showFresh(): void {
    if (this.#fresh.length === 0 && this.#leaving.size === 0 && !this.#hasGap) return
    this.#settle()
    this.#tell()
  }

  retry(): void {
    this.#error = null
    this.#tell()
    void this.#fill()
  }

  receive(events: readonly LiveEvent[]): void {
    const news = newsOf(events)
    if (news.length === 0) return
    if (this.#isLoading) this.#received.push(news)
    if (!this.#deps.canJudge) this.askAgain()
    this.#take(news)
    if (!this.#isFrozen) this.#settle()
    this.#tell()
  }

  /** Where the events do not go on from what was received before, any row may have changed, and not only the newest. */
  catchUp({ isResumed }: { readonly isResumed: boolean }): void {
    if (!isResumed && this.#rows.length > FIRST_PAGE) this.#hasGap = true
    this.askAgain()
  }

  /** Asks for the newest page again, soon: something may have come that no event told of. */
  askAgain(): void {
    this.#cancelAsking ??= this.#deps.startTimer(ASK_AGAIN_MS, () => {
      this.#cancelAsking = undefined
      void this.#readHead()
    })
  }

  #take(news: readonly RunNews[]): void {
    const changed: RunSummary[] = []
    for (const { id, run, changes } of news) {
      const known = this.#known.get(id)
      if (known !== undefined) {
        const now = { ...known, ...changes }
        this.#known.set(id, now)
        changed.push(now)
        if (this.#deps.matches(now)) this.#leaving.delete(id)
        else this.#leaving.add(id)
      } else if (this.#deps.canJudge) this.#consider(id, run ?? this.#unshown.get(id), changes)
    }
    this.#rows = replaceRuns(this.#rows, changed)
    this.#fresh = replaceRuns(this.#fresh, changed)
  }

  /** A run that the list does not hold. */
  #consider(id: string, before: RunSummary | undefined, changes: Partial<RunSummary>): void {
    if (before === undefined) {
      if (this.#deps.mayEnterLate) this.askAgain()
      return
    }
    const run = { ...before, ...changes }
    this.#unshown.delete(id)
    if (this.#deps.matches(run)) {
      this.#add([run])
      // No event tells what was sent; the list does.
      this.askAgain()
    } else if (run.finished_at === null) this.#remember(run)
  }

  #remember(run: RunSummary): void {
    this.#unshown.set(run.id, run)
    if (this.#unshown.size > MOST_UNSHOWN) this.#unshown.delete(this.#unshown.keys().next().value!)
  }

  #add(runs: readonly RunSummary[]): void {
    this.#fresh = mergeRuns(this.#fresh, runs)
    for (const run of runs) this.#known.set(run.id, run)
  }

  #settle(): void {
    if (this.#hasGap || (this.#rows.length > MOST_ROWS && this.#fresh.length > 0)) return this.#beginAnew()
    this.#rows = mergeRuns(this.#rows, this.#fresh)
    this.#fresh = []
    if (this.#leaving.size === 0) return
    this.#rows = this.#rows.filter(({ id }) => !this.#leaving.has(id))
    for (const id of this.#leaving) this.#known.delete(id)
    this.#leaving = new Set()
  }

  /** What is shown stays until the first page comes. */
  #beginAnew(): void {
    this.#cursor = undefined
    void this.#fill()
  }

  /** Loads pages until there are as many rows as are wanted. */
  async #fill(): Promise<void> {
    if (this.#isLoading) return
    while (this.#cursor !== null && this.#error === null && !this.#stopping.signal.aborted) {
      const isFirst = this.#cursor === undefined
      // A search may end early with nothing found yet: then nobody has seen a row who could want more.
      if (!isFirst && this.#rows.length >= Math.max(this.#wanted, 1)) return
      const cursor = this.#cursor === undefined ? {} : { cursor: this.#cursor }
      const page = await this.#request({ ...cursor, limit: isFirst ? FIRST_PAGE : PAGE })
      if (page === undefined) return
      this.#cursor = page.next_cursor
      const runs = this.#admit(page)
      if (isFirst) this.#beginWith(runs)
      else
        this.#rows = mergeRuns(
          this.#rows,
          runs.filter((run) => !this.#isFresh(run))
        )
      this.#tell()
    }
  }

  /** Of what was there before, only that stays which is newer than the end of the first page. */
  #beginWith(runs: RunRows): void {
    const before = mergeRuns(this.#rows, this.#fresh)
    const oldest = runs.at(-1)
    const newer =
      oldest === undefined || this.#cursor === null ? before : before.slice(0, placeOf(before, oldest))
    this.#rows = mergeRuns(
      newer.filter((run) => this.#deps.canJudge && !this.#leaving.has(run.id)),
      runs
    )
    this.#fresh = []
    this.#leaving = new Set()
    this.#known = new Map(this.#rows.map((run) => [run.id, run]))
    this.#hasGap = false
    this.#isReady = true
  }

  async #readHead(): Promise<void> {
    if (this.#isLoading || this.#cursor === undefined) return this.askAgain()
    const page = await this.#request({ limit: FIRST_PAGE }, { isQuiet: true })
    if (page === undefined) return
    // A page that is not full was a search that ended early, and no sign of runs in between.
    const isFull = page.next_cursor !== null && page.runs.length >= FIRST_PAGE
    this.#hasGap ||= isFull && !page.runs.some(({ id }) => this.#known.has(id))
    const runs = this.#admit(page)
    this.#rows = replaceRuns(this.#rows, runs)
    this.#fresh = mergeRuns(
      this.#fresh,
      runs.filter(({ id }) => this.indexOf(id) < 0)
    )
    if (!this.#isFrozen) this.#settle()
    this.#tell()
  }

  /** The runs of a page with what was received while it was on its way. */
  #admit(page: RunPage): RunSummary[] {
    const byId = new Map(page.runs.map((run) => [run.id, withStart(run, this.#known.get(run.id))]))
    for (const { id, changes } of this.#received.flat()) {
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

  #isFresh(run: RunSummary): boolean {
    return this.#fresh[placeOf(this.#fresh, run)]?.id === run.id
  }

  /** Quiet: where it fails, the list stays as it is; it is asked for again when the service answers. */
  async #request(
    page: { cursor?: string; limit: number },
    { isQuiet = false } = {}
  ): Promise<RunPage | undefined> {
    const { signal } = this.#stopping
    this.#isLoading = true
    this.#received = []
    this.#tell()
    try {
      return await this.#deps.load({ ...page, signal })
    } catch (error) {
      if (!signal.aborted && !isQuiet) this.#error = error
      return undefined
    } finally {
      this.#isLoading = false
      if (!signal.aborted) this.#tell()
    }
  }

  #tell(): void {
    this.#view = this.#makeView()
    for (const watcher of [...this.#watchers]) watcher()
  }

  #makeView(): FeedView {
    return {
      rows: this.#rows,
      fresh: this.#fresh.length,
      isReady: this.#isReady,
      isLoading: this.#isLoading,
      isComplete: this.#cursor === null,
      error: this.#error
    }
  }
}

/** A list does not tell when an open run began; an event may have. */
function withStart(run: RunSummary, before: RunSummary | undefined): RunSummary {
  if (run.started_at !== null || (run.status !== 'in progress' && run.status !== 'waiting')) return run
  return { ...run, started_at: before?.started_at ?? null }
}
