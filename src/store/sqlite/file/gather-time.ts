/** The share of the thread's time that commits may take before writes that can wait do so. */
const SHARE = 0.1
/** Commits of so many milliseconds come at once: a service with little to do never waits. */
const MOST_CREDIT_MS = 10
const LONGEST_WAIT_MS = 10
/** Where waiting did not pay, so many batches follow without it at the most before it is tried again. */
const MOST_SKIPPED = 64

export interface CommittedBatch {
  /** What the commit took. */
  readonly ms: number
  /** Whether it was put off; then for how long the thread had nothing to do, and how many writes came. */
  readonly wasPutOff: boolean
  readonly idleMs: number
  readonly joined: number
}

/**
 * How long writes wait for others that could share their commit. Each commit holds the thread for a sync, so where they
 * follow one another closely, with few writes each, little else gets done: a fifth of the time went there while SQL steps
 * ended four by four. Waiting costs the time in which the thread has nothing else to do, and pays where the syncs that
 * it saves would have taken longer: one flow that executes run after run would only be slowed down by it.
 */
export class GatherTime {
  #creditMs = MOST_CREDIT_MS
  #countedAt: number
  #skipped = 0
  #toSkip = 0

  constructor(now: number) {
    this.#countedAt = now
  }

  /** 0: not at all. */
  waitMs(now: number): number {
    this.#count(now)
    if (this.#creditMs >= 0 || this.#skipped < this.#toSkip) return 0
    return Math.min(-this.#creditMs / SHARE, LONGEST_WAIT_MS)
  }

  committed(now: number, { ms, wasPutOff, idleMs, joined }: CommittedBatch): void {
    this.#count(now)
    this.#creditMs = Math.max(this.#creditMs - ms, -LONGEST_WAIT_MS * SHARE)
    if (wasPutOff) this.#judge(joined > 0 && joined * ms >= idleMs)
    else this.#skipped++
  }

  #judge(hasPaid: boolean): void {
    this.#skipped = 0
    this.#toSkip = hasPaid ? 0 : Math.min(Math.max(4, this.#toSkip * 2), MOST_SKIPPED)
  }

  #count(now: number): void {
    this.#creditMs = Math.min(this.#creditMs + (now - this.#countedAt) * SHARE, MOST_CREDIT_MS)
    this.#countedAt = now
  }
}
