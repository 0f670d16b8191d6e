/** What concerns the same key is done one after the other, in the order in which it was asked for. */
export class TurnsByKey {
  readonly #last = new Map<string, Promise<void>>()

  do<T>(key: string, body: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key)
    const turn = before === undefined ? body() : before.then(body)
    const settled: Promise<void> = turn
      .then(
        () => {},
        () => {}
      )
      .then(() => {
        if (this.#last.get(key) === settled) this.#last.delete(key)
      })
    this.#last.set(key, settled)
    return turn
  }
}
