import type { Clock } from '../../clock.ts'
import type { Signals } from '../../store/shared-store.ts'
import type { Change, RunStore } from '../../store/store.ts'
import type { Listener, RunNews } from '../present/run-news.ts'
import { UnderWay } from './under-way.ts'

interface ChangeFeedDeps {
  readonly store: Pick<RunStore, 'changes' | 'lastChange'>
  readonly signals: Pick<Signals, 'tell'>
  readonly clock: Clock
  readonly onError: (error: unknown, doing: string) => void
}

/** Each may hold the outputs of a whole run. */
const PAGE = 50
/** How soon to look again when a change that was told of stands behind one that is still being written. */
const AGAIN_MS = 5

/**
 * Changes made by any process, told to who listens here. A signal says only that a flow has changed; the changes
 * themselves are read from the store, in order, from where the last reading ended. So it does not matter which
 * process wrote a change, whether a signal came twice, late or never, or in which order.
 */
export class ChangeFeed implements RunNews {
  readonly #deps: ChangeFeedDeps
  readonly #feeds = new Map<string | null, Feed>()
  /** All changes up to this one were readable some time ago: where a new feed begins. */
  #settled = 0
  #isStopped = false
  readonly #underWay = new UnderWay()

  constructor(deps: ChangeFeedDeps) {
    this.#deps = deps
  }

  /** Nobody is told any more. Resolves when nothing is read from the store any more. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const feed of this.#feeds.values()) feed.listeners.clear()
    this.#feeds.clear()
    await this.#underWay.over()
  }

  /** Somebody may listen in another process. */
  hasListeners(): boolean {
    return true
  }

  publish({ flowId, no }: Change): void {
    this.#deps.signals.tell({ changed: { [flowId]: no } })
    this.take({ [flowId]: no })
  }

  subscribe(flowId: string | null, listener: Listener): () => void {
    if (this.#isStopped) return () => {}
    const feed = this.#feeds.get(flowId) ?? this.#feed(flowId === null ? null : [flowId])
    this.#feeds.set(flowId, feed)
    feed.listeners.add(listener)
    // What was written since that moment is read once more; who has it already passes over it.
    feed.wake(0)
    return () => {
      feed.listeners.delete(listener)
      if (feed.listeners.size === 0 && this.#feeds.get(flowId) === feed) this.#feeds.delete(flowId)
    }
  }

  #feed(flowIds: readonly string[] | null): Feed {
    return new Feed(flowIds, this.#settled, { ...this.#deps, underWay: this.#underWay })
  }

  /** These flows have changed, up to these numbers. */
  take(changed: Readonly<Record<string, number>>): void {
    if (this.#feeds.size === 0) return
    for (const flowId in changed) {
      this.#feeds.get(flowId)?.wake(changed[flowId]!)
      this.#feeds.get(null)?.wake(changed[flowId]!)
    }
  }

  /** Signals may have been missed. */
  look(settled: number): void {
    this.#settled = Math.max(this.#settled, settled)
    for (const feed of this.#feeds.values()) feed.wake(settled)
  }
}

interface FeedDeps extends ChangeFeedDeps {
  readonly underWay: UnderWay
}

class Feed {
  readonly listeners = new Set<Listener>()
  readonly #flowIds: readonly string[] | null
  readonly #deps: FeedDeps
  #place: number
  /** Up to where changes are known to be. */
  #told = 0
  #isReading = false
  #isAsked = false

  constructor(flowIds: readonly string[] | null, place: number, deps: FeedDeps) {
    this.#flowIds = flowIds
    this.#place = place
    this.#deps = deps
  }

  wake(no: number): void {
    this.#told = Math.max(this.#told, no)
    this.#isAsked = true
    if (this.#isReading) return
    this.#isReading = true
    void this.#deps.underWay.add(this.#readOn())
  }

  /** Its last look at whether more is asked for and its end are one step: what is told between them would be lost. */
  async #readOn(): Promise<void> {
    try {
      while (this.#isAsked && this.listeners.size > 0) {
        this.#isAsked = false
        if (await this.#readPage()) this.#isAsked = true
        else if (this.#told > this.#place) await this.#waitForWriters()
      }
    } catch (error) {
      this.#deps.onError(error, 'reading changes for who listens')
    } finally {
      this.#isReading = false
    }
  }

  /** False when there was nothing to read. */
  async #readPage(): Promise<boolean> {
    const changes = await this.#deps.store.changes(this.#flowIds, this.#place, PAGE)
    for (const change of changes) {
      this.#place = change.no
      for (const listener of [...this.listeners]) listener(change)
    }
    return changes.length > 0
  }

  /** Nothing can be read although something was told of: it was seen already, or stands behind an unfinished write. */
  async #waitForWriters(): Promise<void> {
    const settled = await this.#deps.store.lastChange()
    if (settled >= this.#told) return
    await this.#deps.clock.after(AGAIN_MS)
    this.#isAsked = true
  }
}
