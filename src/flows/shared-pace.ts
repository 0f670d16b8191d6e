import { inTurns, type Pacer, type Turns } from './in-turns.ts'

/** What it needs of a clock. */
export interface TurnClock {
  stopwatch(): number
  soon(then: () => void): void
}

/** For so long one of them holds the thread, as steps do. */
const TURN_MS = 8

/**
 * Long computations that share one turn: after each of them others are looked at, so that a hundred at once hold the
 * thread no longer than one does.
 */
export class SharedPace {
  readonly #clock: TurnClock
  readonly #queued: (() => void)[] = []

  constructor(clock: TurnClock) {
    this.#clock = clock
  }

  /** At once where it is short, and nobody waits: what begins meanwhile may be one of many. */
  run<T>(work: Turns<T>): T | Promise<T> {
    if (this.#queued.length > 0) return this.#turn().then(() => inTurns(work, this.#pacer()))
    return inTurns(work, this.#pacer())
  }

  #pacer(): Pacer {
    let since = this.#clock.stopwatch()
    const begin = () => {
      since = this.#clock.stopwatch()
    }
    return {
      pause: () => (this.#clock.stopwatch() - since < TURN_MS ? undefined : this.#turn().then(begin))
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#queued.push(resolve)
      if (this.#queued.length === 1) this.#clock.soon(this.#next)
    })
  }

  readonly #next = () => {
    this.#queued.shift()?.()
    if (this.#queued.length > 0) this.#clock.soon(this.#next)
  }
}
