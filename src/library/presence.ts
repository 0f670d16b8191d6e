import type { PresentPage, Signals } from '../store/shared-store.ts'

export interface PresenceNews {
  readonly flowId: string
  readonly present: readonly PresentPage[]
}

interface PresenceDeps {
  readonly now: () => number
  /** How the processes that share the store hear of each other; absent where there is one. */
  readonly signals?: Pick<Signals, 'tell' | 'listen'>
}

interface Here extends PresentPage {
  readonly until: number
}

/** A page says so often that it is still there. */
const RENEWED_EVERY_MS = 30_000
/** One that was closed without a word is gone by then. */
const LASTS_MS = 2.5 * RENEWED_EVERY_MS
/** Of one flow; the oldest goes for a newer one. */
const MOST = 50

/**
 * Who has a flow open, and which node they look at. It is in memory alone: each page says it again and again, so a process that
 * has just begun knows it half a minute later.
 */
export class Presence {
  readonly #deps: PresenceDeps
  /** By flow and place: what others have opened is theirs, whatever id they gave it. */
  readonly #byFlow = new Map<string, Map<string, Here>>()
  readonly #listeners = new Set<(news: PresenceNews) => void>()

  constructor(deps: PresenceDeps) {
    this.#deps = deps
    deps.signals?.listen(({ presence = [] }) => {
      for (const { flowId, page, gone } of presence) {
        if (gone === true) this.#remove(flowId, page)
        else this.#put(flowId, page)
      }
    })
  }

  /** Says that a page is there, or still is. All who are there, itself included. */
  enter(flowId: string, page: Omit<PresentPage, 'since'>): readonly PresentPage[] {
    const since = this.#byFlow.get(flowId)?.get(placeOf(page))?.since ?? this.#deps.now()
    const present = { ...page, since }
    this.#deps.signals?.tell({ presence: [{ flowId, page: present }] })
    this.#put(flowId, present)
    return this.of(flowId)
  }

  /** Only the page that a key has opened itself. */
  leave(flowId: string, page: string, name: string): void {
    const here = this.#byFlow.get(flowId)?.get(placeOf({ page, name }))
    if (here === undefined) return
    this.#deps.signals?.tell({ presence: [{ flowId, page: here, gone: true }] })
    this.#remove(flowId, here)
  }

  of(flowId: string): readonly PresentPage[] {
    this.#sweep(flowId)
    return [...(this.#byFlow.get(flowId)?.values() ?? [])].map(({ until: _, ...page }) => page)
  }

  /** Returns what ends the subscription. */
  subscribe(listener: (news: PresenceNews) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #put(flowId: string, page: PresentPage): void {
    const isSwept = this.#sweep(flowId)
    const pages = this.#byFlow.get(flowId) ?? new Map<string, Here>()
    this.#byFlow.set(flowId, pages)
    const place = placeOf(page)
    const before = pages.get(place)
    pages.set(place, { ...page, until: this.#deps.now() + LASTS_MS })
    if (pages.size > MOST) pages.delete(pages.keys().next().value!)
    if (isSwept || before?.node !== page.node) this.#tell(flowId)
  }

  #remove(flowId: string, page: PresentPage): void {
    const pages = this.#byFlow.get(flowId)
    if (pages?.delete(placeOf(page)) !== true) return
    if (pages.size === 0) this.#byFlow.delete(flowId)
    this.#tell(flowId)
  }

  /** Nobody has to be told of one that is gone while nobody else is there: whoever is, says so themselves before long. */
  #sweep(flowId: string): boolean {
    const pages = this.#byFlow.get(flowId)
    if (pages === undefined) return false
    const now = this.#deps.now()
    let isSwept = false
    for (const [id, { until }] of pages) if (until < now) isSwept = pages.delete(id) || isSwept
    if (pages.size === 0) this.#byFlow.delete(flowId)
    return isSwept
  }

  #tell(flowId: string): void {
    if (this.#listeners.size === 0) return
    const news = { flowId, present: this.of(flowId) }
    for (const listener of this.#listeners) listener(news)
  }
}

/** A page by who opened it. */
function placeOf({ page, name }: Pick<PresentPage, 'page' | 'name'>): string {
  return JSON.stringify([name, page])
}
