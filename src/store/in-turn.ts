/** Things to do one after the other, in the order in which they were asked for. One that fails holds up none after it. */
export class InTurn {
  #last: Promise<unknown> = Promise.resolve()

  readonly do = <T>(body: () => Promise<T>): Promise<T> => {
    const turn = this.#last.then(body)
    this.#last = turn.catch(() => {})
    return turn
  }

  /** Resolves when all that was asked for is settled. */
  async settled(): Promise<void> {
    await this.#last
  }
}
