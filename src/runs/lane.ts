import type { RunToPerform, WaitingRun } from '../store/store.ts'

/** A run that waits in memory for its turn. */
export interface Waiting {
  readonly run: RunToPerform
  readonly journal: readonly string[]
}

/**
 * The runs of one flow that wait for their turn, in the order of acceptance. Only a window of them is in memory;
 * the rest waits in the store and is read when the window runs empty, so a flood costs disk and not memory.
 *
 * The window is always an unbroken stretch of the store's order: once a run was left out of it, every later one
 * is left out too, until reading has caught up.
 */
export class Lane {
  readonly flowId: string
  active = 0
  isLoading = false
  #window: (Waiting | undefined)[] = []
  #head = 0
  /** The newest run of the window's stretch. */
  #loadedUpTo = 0
  #newestAccepted = 0
  /** Runs that were pushed ahead of the stretch; reading must not bring them a second time. */
  readonly #ahead = new Set<string>()

  constructor(flowId: string) {
    this.flowId = flowId
  }

  get size(): number {
    return this.#window.length - this.#head
  }

  get loadedUpTo(): number {
    return this.#loadedUpTo
  }

  /** Runs wait in the store that are not in the window. */
  get isBehind(): boolean {
    return this.#newestAccepted > this.#loadedUpTo
  }

  get isIdle(): boolean {
    return this.size === 0 && this.active === 0 && !this.isBehind && !this.isLoading
  }

  /** A run was accepted. Without room it is left to the store; returns whether it was taken in. */
  accepted(run: RunToPerform, hasRoom: boolean): boolean {
    const inOrder = !this.isBehind && !this.isLoading
    this.#newestAccepted = run.seq
    if (!inOrder || !hasRoom) return false
    this.#loadedUpTo = run.seq
    this.#append(run, [])
    return true
  }

  /** The store holds runs that this process has not seen: it starts, or another one accepted them. */
  mayBeBehind(): void {
    this.#newestAccepted = Number.MAX_SAFE_INTEGER
  }

  /** The next stretch was read; a short one means that nothing newer was in the store. Returns what was new. */
  loaded(runs: readonly WaitingRun[], isAll: boolean, newestBefore: number): readonly WaitingRun[] {
    const news = runs.filter((run) => !this.#ahead.delete(run.id))
    for (const run of news) this.#append(run, run.journal)
    this.#loadedUpTo = runs.at(-1)?.seq ?? this.#loadedUpTo
    if (isAll) {
      this.#ahead.clear()
      this.#loadedUpTo = Math.max(this.#loadedUpTo, newestBefore)
      if (this.#newestAccepted === Number.MAX_SAFE_INTEGER) this.#newestAccepted = this.#loadedUpTo
    }
    return news
  }

  /** A run outside the order: it was reopened, or its wait is over. Returns whether it was taken in. */
  push(run: RunToPerform, journal: readonly string[]): boolean {
    // Cancelled while it waited here, and reopened: twice in the window it would be performed twice at once.
    const at = this.#window.findIndex((waiting, index) => index >= this.#head && waiting?.run.seq === run.seq)
    if (at >= 0) {
      this.#window[at] = { run, journal }
      return false
    }
    if (run.seq > this.#loadedUpTo) this.#ahead.add(run.id)
    this.#append(run, journal)
    return true
  }

  /** Takes out a run that is not to be performed; undefined where it does not wait here. */
  remove(id: string): Waiting | undefined {
    const at = this.#window.findIndex((waiting) => waiting?.run.id === id)
    return at < 0 ? undefined : this.#window.splice(at, 1)[0]
  }

  #append(run: RunToPerform, journal: readonly string[]): void {
    this.#window.push({ run, journal })
  }

  shift(): Waiting | undefined {
    const next = this.#window[this.#head]
    if (next === undefined) return undefined
    // A run that is performed must not be kept alive by the place where it waited.
    this.#window[this.#head++] = undefined
    // Taking from the front of a long array one by one would move the whole of it each time.
    if (this.#head >= 256 && this.#head * 2 >= this.#window.length) {
      this.#window = this.#window.slice(this.#head)
      this.#head = 0
    }
    return next
  }
}
