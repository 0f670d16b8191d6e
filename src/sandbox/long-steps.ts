import type { Clock } from '../clock.ts'
import type { Owner } from './turn-queue.ts'

/** A step that has run for so long takes long. */
const LONG_MS = 1_000
/** Of so many flows it is remembered. */
const MOST_FLOWS = 1_000

interface Running {
  readonly context: string
  isLong: boolean
}

/**
 * Keeps one thread of several free of steps that take long: whatever others do, a short step waits for short ones. A flow whose last
 * step took long is expected to take long again. One of which nothing is known is tried; but when such a trial took long, further ones
 * of its context wait, until no long step of it is running any more.
 */
export class LongSteps {
  readonly #threads: number
  readonly #most: number
  readonly #clock: Pick<Clock, 'startTimer'>
  readonly #running = new Set<Running>()
  readonly #tookLong = new Map<string, boolean>()
  /** Contexts with long steps, of which a flow was tried and took long as well. */
  readonly #suspects = new Set<string>()

  constructor(threads: number, clock: Pick<Clock, 'startTimer'>) {
    this.#threads = threads
    this.#most = threads < 2 ? threads : threads - 1
    this.#clock = clock
  }

  readonly mayBegin = (owner: Owner): boolean => {
    if (this.count < this.#most) return true
    return !this.#isExpected(owner) && !(this.hasAll && this.#hasLong(owner.context))
  }

  /** All threads, and the one more that there is then. What flows of one context did before does not tell that they take long now. */
  get hasAll(): boolean {
    return this.count > this.#threads
  }

  /** How many are running. */
  get count(): number {
    return [...this.#running].filter(({ isLong }) => isLong).length
  }

  /** Returns what is to be called when it is over. `onLong` is called when it turns out to take long. */
  begin(owner: Owner, onLong: () => void): () => void {
    const { context } = owner
    const isTrial = !this.#tookLong.has(owner.flow) && this.#hasLong(context)
    const running = { context, isLong: this.#isExpected(owner) }
    this.#running.add(running)
    let tookLong = false
    const timer = this.#clock.startTimer(LONG_MS, () => {
      tookLong = true
      running.isLong = true
      this.#remember(owner.flow, true)
      if (isTrial) this.#suspects.add(context)
      onLong()
    })
    return () => {
      timer.stop()
      this.#running.delete(running)
      if (!tookLong) this.#remember(owner.flow, false)
      if (!this.#hasLong(context)) this.#suspects.delete(context)
    }
  }

  #isExpected({ context, flow }: Owner): boolean {
    return this.#tookLong.get(flow) ?? this.#suspects.has(context)
  }

  #hasLong(context: string): boolean {
    return [...this.#running].some((running) => running.isLong && running.context === context)
  }

  #remember(flow: string, tookLong: boolean): void {
    this.#tookLong.delete(flow)
    this.#tookLong.set(flow, tookLong)
    if (this.#tookLong.size > MOST_FLOWS) this.#tookLong.delete(this.#tookLong.keys().next().value!)
  }
}
