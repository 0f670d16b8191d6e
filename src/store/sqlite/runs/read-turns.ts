/** Long enough that pausing costs nothing, short enough that an accept does not notice. */
const sliceMs = 4

/**
 * Long reads go on in slices, with pauses in which the accepts that have come meanwhile go first. Time and not rows
 * is counted, since rows differ a thousandfold.
 *
 * All long reads of a store share its turns: in one turn of the event loop one of them has its slice. Had each a
 * slice in every turn, a hundred readers would hold the loop a hundred times as long as one does.
 */
export class ReadTurns {
  readonly #now: () => number
  readonly #soon: (then: () => void) => void
  readonly #queued: (() => void)[] = []

  constructor(now = () => performance.now(), soon: (then: () => void) => void = setImmediate) {
    this.#now = now
    this.#soon = soon
  }

  /** For one read. What it returns is called before every small query, the first included. */
  begin(): () => Promise<void> {
    let until = 0
    return async () => {
      if (this.#now() < until) return
      await this.#next()
      until = this.#now() + sliceMs
    }
  }

  #next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#queued.push(resolve) === 1) this.#soon(this.#resume)
    })
  }

  readonly #resume = (): void => {
    this.#queued.shift()!()
    if (this.#queued.length > 0) this.#soon(this.#resume)
  }
}
