interface Kept<Value> {
  readonly value: Value
  readonly weight: number
}

/** What was used last, up to a weight in all. */
export class Latest<Value> {
  readonly #most: number
  readonly #kept = new Map<string, Kept<Value>>()
  #weight = 0

  constructor(most: number) {
    this.#most = most
  }

  get(key: string): Value | undefined {
    const kept = this.#kept.get(key)
    if (kept === undefined) return undefined
    // The one that was used last is the last.
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    return kept.value
  }

  set(key: string, value: Value, weight = 1): void {
    this.delete(key)
    this.#kept.set(key, { value, weight })
    this.#weight += weight
    for (const oldest of this.#kept.keys()) {
      if (this.#weight <= this.#most || this.#kept.size === 1) return
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    this.#weight -= this.#kept.get(key)?.weight ?? 0
    this.#kept.delete(key)
  }
}
