import type { Clock } from '../../clock.ts'
import { MillraceError } from '../../errors.ts'

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5_000

/**
 * What a run came to must reach the store, however long the disk is full: the write is tried again until it is
 * durable. Meanwhile the run counts as unfinished, so a store that stays broken fills the backlog, and callers
 * are refused before memory runs out. `stop` gives up; the run is then taken up again by the next start.
 */
export class Persistence {
  readonly #clock: Clock
  #isStopped = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  stop(): void {
    this.#isStopped = true
  }

  readonly persist = <T>(write: () => Promise<T>): Promise<T> => {
    return write().catch((error) => this.#again(write, error, FIRST_WAIT_MS))
  }

  #again<T>(write: () => Promise<T>, error: unknown, wait: number): Promise<T> {
    if (this.#isStopped || !(error instanceof MillraceError) || error.code !== 'store_unwritable') {
      return Promise.reject(error)
    }
    return new Promise<void>((resolve) => {
      this.#clock.startTimer(wait, resolve)
    }).then(() => write().catch((next) => this.#again(write, next, Math.min(wait * 2, LONGEST_WAIT_MS))))
  }
}
