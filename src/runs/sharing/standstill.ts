import type { Clock } from '../../clock.ts'

/** So long runs wait, and this process has room and takes up none, before it may be that nothing moves. */
const STILL_MS = 10_000
/** Who has not said for so long that nothing moves there goes on, or is gone. Each says it once a second. */
const FORGOTTEN_MS = 3_500

/**
 * Whether runs wait and none is taken up, for a reason that is none of ours: somebody holds locks, or the queue does not answer.
 * Slow to say so, and quick to take it back: the first run that is taken up does. Runs that wait because their flow is at its
 * limit, or because there is no room here, do not count.
 */
export class Standstill {
  readonly #clock: Pick<Clock, 'stopwatch'>
  #since: number | undefined
  #answeredAt: number
  #hasTaken = false
  #isConfirmed = false
  /** Other processes in which nothing moves, and when they said so last. */
  readonly #elsewhere = new Map<string, number>()

  constructor(clock: Pick<Clock, 'stopwatch'>) {
    this.#clock = clock
    this.#answeredAt = clock.stopwatch()
  }

  /** Nothing is taken up here although it could be. */
  get isHere(): boolean {
    const now = this.#clock.stopwatch()
    return this.#isLong(now) && (this.#isConfirmed || now - this.#answeredAt >= STILL_MS)
  }

  /** Nothing moves in any of so many processes. */
  isInAll(workers: number): boolean {
    const now = this.#clock.stopwatch()
    const still = this.#elsewhere.values().filter((saidAt) => now - saidAt < FORGOTTEN_MS)
    return workers > 0 && still.toArray().length >= workers
  }

  /** Runs are to be taken up. */
  tries(): void {
    this.#since ??= this.#clock.stopwatch()
  }

  took(runs: number): void {
    if (runs === 0) return
    this.#hasTaken = true
    this.#moves()
  }

  /**
   * The queue has told whether there is work that this process has room for. Where there has been for long and nothing was
   * taken, `isStuck` looks closer: whether there is some that no limit keeps from being taken.
   */
  async queueAnswered(hasWork: boolean, isStuck: () => Promise<boolean>): Promise<void> {
    this.#answeredAt = this.#clock.stopwatch()
    const isMoving = !hasWork || this.#hasTaken
    this.#hasTaken = false
    if (isMoving) return this.#moves()
    this.tries()
    if (this.#isLong(this.#answeredAt)) this.#isConfirmed = await isStuck()
  }

  stillElsewhere(process: string): void {
    this.#elsewhere.set(process, this.#clock.stopwatch())
  }

  #moves(): void {
    this.#since = undefined
    this.#isConfirmed = false
  }

  #isLong(now: number): boolean {
    return this.#since !== undefined && now - this.#since >= STILL_MS
  }
}
