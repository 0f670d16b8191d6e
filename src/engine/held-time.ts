/** Time of an attempt that does not count: it waited for its turn at something that all share, and could do nothing meanwhile. */
export class HeldTime {
  readonly #stopwatch: () => number
  #count = 0
  #since = 0
  #ms = 0
  #released: (() => void) | undefined
  #wasReleased = false

  constructor(stopwatch: () => number) {
    this.#stopwatch = stopwatch
  }

  get isHeld(): boolean {
    return this.#count > 0
  }

  /** It waits for its first turn, and has done nothing yet. */
  get isHeldFirst(): boolean {
    return this.isHeld && !this.#wasReleased
  }

  get ms(): number {
    return this.#count === 0 ? this.#ms : this.#ms + this.#stopwatch() - this.#since
  }

  /** Returns what ends it. Several at once are one. */
  begin(): () => void {
    if (this.#count++ === 0) this.#since = this.#stopwatch()
    return () => {
      if (--this.#count > 0) return
      this.#wasReleased = true
      this.#ms += this.#stopwatch() - this.#since
      const released = this.#released
      this.#released = undefined
      released?.()
    }
  }

  /** Once, when it is held no longer. */
  whenReleased(then: () => void): void {
    this.#released = then
  }
}
