import type { RunToPerform, WaitingPage, WaitingRun } from '../../store/store.ts'
import { RunWindow, type Waiting } from '../perform/run-window.ts'

/**
 * The runs of one flow that wait for their turn, in the order of acceptance. Only a window of them is in memory;
 * the rest waits in the store and is read when the window runs empty, so a flood costs disk and not memory.
 *
 * That window is always an unbroken stretch of the store's order: once a run was left out of it, every later one
 * is left out too, until reading has caught up. Runs outside the order have a window of their own: those that were
 * opened again, and those whose parking is over, of which no more are taken up than fit. Both have their turns.
 */
export class Lane {
  readonly flowId: string
  active = 0
  /** The next runs in order are being read. */
  isLoading = false
  /** Parked runs that are due are being taken up. */
  isTakingDue = false
  /** Parked runs of this flow may be due. */
  hasDue = false
  readonly ordered = new RunWindow()
  readonly unordered = new RunWindow()
  #wasOrdered = true
  /** The newest run of the ordered window's stretch. */
  #loadedUpTo = 0
  #newestAccepted = 0
  /** Changes whenever a stretch that is being read is no longer the next one. */
  stretch = 0
  /** Runs that were taken in ahead of the stretch; reading must not bring them a second time. */
  readonly #ahead = new Set<string>()

  constructor(flowId: string) {
    this.flowId = flowId
  }

  get size(): number {
    return this.ordered.size + this.unordered.size
  }

  get loadedUpTo(): number {
    return this.#loadedUpTo
  }

  /** Runs wait in the store that are not in the window. */
  get isBehind(): boolean {
    return this.#newestAccepted > this.#loadedUpTo
  }

  get isReading(): boolean {
    return this.isLoading || this.isTakingDue
  }

  get isIdle(): boolean {
    return this.size === 0 && this.active === 0 && !this.isBehind && !this.hasDue && !this.isReading
  }

  /** A run was accepted. Without room it is left to the store; returns whether it was taken in. */
  accepted(run: RunToPerform, hasRoom: boolean): boolean {
    const inOrder = !this.isBehind && !this.isLoading
    this.#newestAccepted = run.seq
    if (!inOrder || !hasRoom) return false
    this.#loadedUpTo = run.seq
    this.ordered.push({ run, journal: [] })
    return true
  }

  /** The store holds runs that this process has not seen: it starts, or another one accepted them. */
  mayBeBehind(): void {
    this.#newestAccepted = Number.MAX_SAFE_INTEGER
  }

  /** The next stretch was read. `isActive`: the run is being performed. Returns what was new. */
  loaded(
    { runs, isLast }: WaitingPage,
    newestBefore: number,
    isActive: (id: string) => boolean = () => false
  ): Waiting[] {
    const news = runs.filter(({ id }) => !this.#ahead.delete(id) && !isActive(id)).map(waitingOf)
    for (const waiting of news) this.ordered.push(waiting)
    this.#loadedUpTo = runs.at(-1)?.seq ?? this.#loadedUpTo
    if (isLast) {
      this.#ahead.clear()
      this.#loadedUpTo = Math.max(this.#loadedUpTo, newestBefore)
      if (this.#newestAccepted === Number.MAX_SAFE_INTEGER) this.#newestAccepted = this.#loadedUpTo
    }
    return news
  }

  /** The flow is paused: what waits in order is the store's again. Returns what was in memory. */
  giveBack(): Waiting[] {
    this.stretch++
    return this.ordered.clear()
  }

  /** Runs wait in the store again that the stretch has passed: it begins anew, and reads none a second time that is here. */
  beginAnew(): void {
    this.stretch++
    this.#loadedUpTo = 0
    this.mayBeBehind()
    for (const id of [...this.ordered.ids, ...this.unordered.ids]) this.#ahead.add(id)
  }

  /** Parked runs that are due were taken up; to be called while nothing else is read. Returns them. */
  woken(runs: readonly WaitingRun[]): Waiting[] {
    const news = runs.map(waitingOf)
    for (const waiting of news) this.#takeIn(waiting)
    return news
  }

  /** A run was opened again. Returns whether it was taken in. */
  reopened(run: RunToPerform, journal: readonly string[]): boolean {
    // It may have been read already: twice in here it would be performed twice at once.
    const wasThere = this.remove(run.id) !== undefined
    this.#takeIn({ run, journal })
    return !wasThere
  }

  /** Takes out a run that is not to be performed from here; undefined where it does not wait here. */
  remove(id: string): Waiting | undefined {
    return this.ordered.remove(id) ?? this.unordered.remove(id)
  }

  shift(): Waiting | undefined {
    if (this.unordered.size === 0) return this.ordered.shift()
    this.#wasOrdered = !this.#wasOrdered && this.ordered.size > 0
    return this.#wasOrdered ? this.ordered.shift() : this.unordered.shift()
  }

  #takeIn(waiting: Waiting): void {
    if (waiting.run.seq > this.#loadedUpTo) this.#ahead.add(waiting.run.id)
    this.unordered.push(waiting)
  }
}

function waitingOf(run: WaitingRun): Waiting {
  return { run, journal: run.journal }
}
