/** Listens to all flows. */
const ALL = null

/** Who listens to which flow, or to all. */
export class FlowListeners<News> {
  readonly #listeners = new Map<string | typeof ALL, Set<(news: News) => void>>()

  get isEmpty(): boolean {
    return this.#listeners.size === 0
  }

  /** Whether anybody listens to this flow. */
  has(flowId: string): boolean {
    return this.#listeners.has(flowId) || this.#listeners.has(ALL)
  }

  /** The flows that somebody listens to; null stands for all. */
  flows(): (string | null)[] {
    return [...this.#listeners.keys()]
  }

  tell(flowId: string, news: News): void {
    for (const listener of this.#listeners.get(flowId) ?? []) listener(news)
    for (const listener of this.#listeners.get(ALL) ?? []) listener(news)
  }

  /** Returns what ends the subscription. */
  add(flowId: string | typeof ALL, listener: (news: News) => void): () => void {
    const listeners = this.#listeners.get(flowId) ?? new Set()
    this.#listeners.set(flowId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      // Who leaves a second time must not take along who came meanwhile.
      if (listeners.size === 0 && this.#listeners.get(flowId) === listeners) this.#listeners.delete(flowId)
    }
  }
}
