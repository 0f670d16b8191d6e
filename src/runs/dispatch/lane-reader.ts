import type { Clock } from '../../clock.ts'
import type { PageLimit, QueuedPage, RunStore } from '../../store/store.ts'
import type { InMemory, RunWindow } from '../execute/run-window.ts'
import type { Work } from './dispatch.ts'
import { type DispatchSizes, READ_RETRY_MS } from './dispatch-sizes.ts'
import type { DueWatch } from './due-watch.ts'
import type { Lane } from './lane.ts'

interface LaneReaderDeps extends Pick<Work, 'onTakenUp' | 'onError'> {
  readonly store: Pick<RunStore, 'queued' | 'takeDue' | 'lastChange'>
  readonly clock: Pick<Clock, 'now' | 'startTimer'>
  readonly due: Pick<DueWatch, 'lookAhead'>
  readonly sizes: DispatchSizes
  readonly memory: InMemory
  /** A lane may have more than it had, or is to be read once more. */
  readonly onRead: () => void
}

/** Brings runs that are queued in the store, or due there, into the windows of their lanes, as far as there is room in memory. */
export class LaneReader {
  readonly #deps: LaneReaderDeps

  constructor(deps: LaneReaderDeps) {
    this.#deps = deps
  }

  /** Whichever of the two windows is nearer to running empty is filled first; one read of a lane at a time. */
  readMore(lane: Lane): void {
    if (lane.isReading) return
    const next = lane.mode === 'behind' ? this.#pageFor(lane.ordered, this.#deps.sizes.page) : undefined
    const due = lane.hasDue ? this.#pageFor(lane.unordered, this.#deps.sizes.duePage) : undefined
    if (due !== undefined && (next === undefined || lane.unordered.size <= lane.ordered.size)) {
      this.#takeDue(lane, due)
    } else if (next !== undefined) this.#refill(lane, next)
  }

  /** Undefined while it holds enough. With no room left in memory, one that is empty still gets a little. */
  #pageFor(window: RunWindow, page: PageLimit): PageLimit | undefined {
    if (!this.hasRoom) return window.size === 0 ? this.#deps.sizes.smallPage : undefined
    return window.size < page.runs / 2 && window.bytes < page.bytes / 2 ? page : undefined
  }

  #refill(lane: Lane, limit: PageLimit): void {
    const reading = lane.beginReading()
    this.#readOn(lane.flowId, reading.after, limit).then(
      ({ page, newestBefore }) => {
        lane.loaded(reading, page, newestBefore)
        this.#deps.onRead()
      },
      (error) => {
        lane.readingFailed()
        this.#readFailed(error, 'reading queued runs')
      }
    )
  }

  /** The number first: what is accepted between the two reads is then known to be still unread. */
  async #readOn(
    flowId: string,
    after: number,
    limit: PageLimit
  ): Promise<{ page: QueuedPage; newestBefore: number }> {
    const newestBefore = await this.#deps.store.lastChange()
    return { newestBefore, page: await this.#deps.store.queued(flowId, after, limit) }
  }

  #takeDue(lane: Lane, limit: PageLimit): void {
    const { store, clock, due, onTakenUp } = this.#deps
    const now = clock.now()
    lane.beginTakingDue()
    store.takeDue(lane.flowId, now, limit).then(
      (page) => {
        lane.woken(page)
        for (const _ of page.runs) onTakenUp()
        // The clock may have been set back since somebody saw that there was something.
        if (page.isLast) void due.lookAhead(now)
        this.#deps.onRead()
      },
      (error) => {
        lane.takingDueFailed()
        this.#readFailed(error, 'taking up runs whose wait is over')
      }
    )
  }

  #readFailed(error: unknown, doing: string): void {
    this.#deps.onError(error, doing)
    this.#deps.clock.startTimer(READ_RETRY_MS, () => this.#deps.onRead())
  }

  get hasRoom(): boolean {
    const { sizes, memory } = this.#deps
    return memory.runs < sizes.windowRuns && memory.bytes < sizes.windowBytes
  }
}
