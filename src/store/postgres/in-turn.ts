/**
 * Small writes that are made seldom, one after the other in the order in which they were asked for: of two that
 * exclude each other, the first one wins, as in a batch.
 */
export class InTurn {
  #last: Promise<unknown> = Promise.resolve()

  readonly do = <T>(write: () => Promise<T>): Promise<T> => {
    const turn = this.#last.then(write, write)
    this.#last = turn.catch(() => {})
    return turn
  }

  /** Resolves when all that was asked for is settled. */
  async settled(): Promise<void> {
    await this.#last
  }
}
