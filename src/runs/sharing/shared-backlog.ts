import type { Backlog } from '../dispatch.ts'

/**
 * The backlog of all processes: as one of them has counted it a moment ago, and what this one has added and taken
 * away since. It may be off by what the others did in that moment, so a limit is held to within about a second.
 */
export class SharedBacklog implements Backlog {
  #counted = 0
  #since = 0

  get count(): number {
    return Math.max(0, this.#counted + this.#since)
  }

  add(difference: 1 | -1): void {
    this.#since += difference
  }

  counted(backlog: number): void {
    this.#counted = backlog
    this.#since = 0
  }

  /** The first pulse tells. */
  async load(): Promise<void> {}
}
