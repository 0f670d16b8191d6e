/** What was begun and is not over yet. Whoever closes what it works on waits for it first. */
export class UnderWay {
  readonly #begun = new Set<Promise<unknown>>()

  add<T>(begun: Promise<T>): Promise<T> {
    const isOver = () => void this.#begun.delete(begun)
    this.#begun.add(begun)
    begun.then(isOver, isOver)
    return begun
  }

  /** Resolves when nothing is under way any more, however it ended. */
  async over(): Promise<void> {
    while (this.#begun.size > 0) await Promise.allSettled(this.#begun)
  }
}
