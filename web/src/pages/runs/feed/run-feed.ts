import type { LiveEvent } from '../../../api/live-event.ts'
import type { RunPage } from '../../../api/runs.ts'
import type { RunSummary } from '../../../api/shapes.ts'
import { ListedRuns, type LoadedRuns, type RunJudge } from './listed-runs.ts'
import { newsOf, type RunNews } from './run-news.ts'
import type { RunRows } from './run-rows.ts'

interface RunFeedDeps extends RunJudge {
  readonly load: (request: { cursor?: string; limit: number; signal: AbortSignal }) => Promise<RunPage>
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
/** A list that stands open for days on a busy service begins anew. */
const MOST_ROWS = 250_000

/**
 * The runs of one question, page by page from the newest, kept true by live events. Rows never move while somebody
 * reads: new ones wait until they are asked for, or until nobody is in their way.
 */
export class RunFeed {
  readonly #deps: RunFeedDeps
  readonly #runs: ListedRuns
  readonly #watchers = new Set<() => void>()
  readonly #stopping = new AbortController()
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
    this.#runs = new ListedRuns(deps)
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
    return this.#runs.get(id)
  }

  /** The row of a run, or -1 where it is not shown. */
  indexOf(id: string): number {
    return this.#runs.indexOf(id)
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
    if (this.#runs.isSettled && !this.#hasGap) return
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
    const isLacking = this.#runs.take(news)
    if (isLacking || !this.#deps.canJudge) this.askAgain()
    if (!this.#isFrozen) this.#settle()
    this.#tell()
  }

  /** Where the events do not go on from what was received before, any row may have changed, and not only the newest. */
  catchUp({ isResumed }: { readonly isResumed: boolean }): void {
    if (!isResumed && this.#runs.rows.length > FIRST_PAGE) this.#hasGap = true
    this.askAgain()
  }

  /** Asks for the newest page again, soon: something may have come that no event told of. */
  askAgain(): void {
    this.#cancelAsking ??= this.#deps.startTimer(ASK_AGAIN_MS, () => {
      this.#cancelAsking = undefined
      void this.#readHead()
    })
  }

  #settle(): void {
    const { rows, fresh } = this.#runs
    if (this.#hasGap || (rows.length > MOST_ROWS && fresh.length > 0)) this.#beginAnew()
    else this.#runs.settle()
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
      if (!isFirst && this.#runs.rows.length >= Math.max(this.#wanted, 1)) return
      const cursor = this.#cursor === undefined ? {} : { cursor: this.#cursor }
      const page = await this.#request({ ...cursor, limit: isFirst ? FIRST_PAGE : PAGE })
      if (page === undefined) return
      this.#cursor = page.next_cursor
      if (isFirst) this.#beginWith(page)
      else this.#runs.append(this.#loaded(page))
      this.#tell()
    }
  }

  #beginWith(page: RunPage): void {
    this.#runs.beginWith(this.#loaded(page), { isComplete: page.next_cursor === null })
    this.#hasGap = false
    this.#isReady = true
  }

  async #readHead(): Promise<void> {
    if (this.#isLoading || this.#cursor === undefined) return this.askAgain()
    const page = await this.#request({ limit: FIRST_PAGE }, { isQuiet: true })
    if (page === undefined) return
    // A page that is not full was a search that ended early, and no sign of runs in between.
    const isFull = page.next_cursor !== null && page.runs.length >= FIRST_PAGE
    this.#hasGap ||= isFull && !page.runs.some(({ id }) => this.#runs.get(id) !== undefined)
    this.#runs.renewHead(this.#loaded(page))
    if (!this.#isFrozen) this.#settle()
    this.#tell()
  }

  #loaded({ runs }: RunPage): LoadedRuns {
    return { runs, received: this.#received.flat() }
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
      rows: this.#runs.rows,
      fresh: this.#runs.fresh.length,
      isReady: this.#isReady,
      isLoading: this.#isLoading,
      isComplete: this.#cursor === null,
      error: this.#error
    }
  }
}
