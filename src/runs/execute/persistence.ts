import type { Clock } from '../../clock.ts'
import { MillraceError } from '../../errors.ts'

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5_000

/** Half of what an orderly stop may take: what a run hands back afterwards takes its time, too. */
const LAST_TRIES_MS = 4_000

/**
 * What a run came to must reach the store, however long the disk is full: the write is tried again until it is
 * durable. Meanwhile the run counts as unfinished, so a store that stays broken fills the backlog, and callers
 * are refused before memory runs out.
 */
export class Persistence {
  readonly #clock: Clock
  readonly #waiting = new Set<() => void>()
  /** By the stopwatch; undefined while the service goes on. */
  #givesUpAt: number | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * What was refused a moment ago is tried at once, and for a few seconds more: given up, a step whose result came back would
   * be repeated by the next start. A store that stays broken does not hold up the stop for longer than that.
   */
  stop(): void {
    this.#givesUpAt ??= this.#clock.stopwatch() + LAST_TRIES_MS
    for (const tryNow of [...this.#waiting]) tryNow()
  }

  readonly persist = <T>(write: () => Promise<T>): Promise<T> => {
    return write().catch((error) => this.#again(write, error, FIRST_WAIT_MS))
  }

  #again<T>(write: () => Promise<T>, error: unknown, wait: number): Promise<T> {
    const isRefused = error instanceof MillraceError && error.code === 'store_unwritable'
    if (!isRefused || this.#isTooLate(wait)) return Promise.reject(error)
    return this.#waited(wait).then((nextWait) =>
      write().catch((next) => this.#again(write, next, Math.min(nextWait, LONGEST_WAIT_MS)))
    )
  }

  #isTooLate(wait: number): boolean {
    return this.#givesUpAt !== undefined && this.#clock.stopwatch() + wait > this.#givesUpAt
  }

  /** Resolves to the wait that comes after this one, should the store refuse again. */
  #waited(wait: number): Promise<number> {
    return new Promise((resolve) => {
      const over = (nextWait: number) => {
        timer.stop()
        this.#waiting.delete(cutShort)
        resolve(nextWait)
      }
      const cutShort = () => over(FIRST_WAIT_MS)
      const timer = this.#clock.startTimer(wait, () => over(wait * 2))
      this.#waiting.add(cutShort)
    })
  }
}
