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
 * step took long is expected to take long again; one of which nothing is known, where its context has a long step running.
 */
export class LongSteps {
  readonly #most: number
  readonly #clock: Pick<Clock, 'startTimer'>
  readonly #running = new Set<Running>()
  readonly #tookLong = new Map<string, boolean>()

  constructor(threads: number, clock: Pick<Clock, 'startTimer'>) {
    this.#most = threads < 2 ? threads : threads - 1
    this.#clock = clock
  }

  readonly mayBegin = (owner: Owner): boolean => this.#count < this.#most || !this.#isExpected(owner)

  /** Returns what is to be called when it is over. */
  begin(owner: Owner): () => void {
    const running = { context: owner.context, isLong: this.#isExpected(owner) }
    this.#running.add(running)
    let tookLong = false
    const timer = this.#clock.startTimer(LONG_MS, () => {
      tookLong = true
      running.isLong = true
      this.#remember(owner.flow, true)
    })
    return () => {
      timer.stop()
      this.#running.delete(running)
      if (!tookLong) this.#remember(owner.flow, false)
    }
  }

  get #count(): number {
    return [...this.#running].filter(({ isLong }) => isLong).length
  }

  #isExpected({ context, flow }: Owner): boolean {
    const known = this.#tookLong.get(flow)
    return known ?? [...this.#running].some((running) => running.isLong && running.context === context)
  }

  #remember(flow: string, tookLong: boolean): void {
    this.#tookLong.delete(flow)
    this.#tookLong.set(flow, tookLong)
    if (this.#tookLong.size > MOST_FLOWS) this.#tookLong.delete(this.#tookLong.keys().next().value!)
  }
}
