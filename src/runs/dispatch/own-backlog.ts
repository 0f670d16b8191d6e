import type { Backlog } from './dispatch.ts'

/** The backlog of a process that has the store to itself: the store knows it, but for what is being written. */
export class OwnBacklog implements Backlog {
  readonly #kept: () => number
  #accepting = 0

  /** `kept`: open runs in the store that are not parked. */
  constructor(kept: () => number) {
    this.#kept = kept
  }

  get count(): number {
    return this.#accepting + this.#kept()
  }

  accepting(): void {
    this.#accepting++
  }

  accepted(): void {
    this.#accepting--
  }

  entered(): void {}

  left(): void {}
}
