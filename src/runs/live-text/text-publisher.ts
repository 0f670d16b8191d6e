import type { TextDelta, TextListener, TextNews } from './text-news.ts'

/** Listens to all flows. */
const ALL = null

/** Tells of the text that steps of this process put out, to who listens in this process. */
export class TextPublisher implements TextNews {
  readonly #listeners = new Map<string | typeof ALL, Set<TextListener>>()

  hasListeners(flowId: string): boolean {
    return this.#listeners.has(flowId) || this.#listeners.has(ALL)
  }

  /** The flows that somebody listens to; null stands for all. */
  listenedTo(): (string | null)[] {
    return [...this.#listeners.keys()]
  }

  publish(deltas: readonly TextDelta[]): void {
    if (this.#listeners.size === 0) return
    for (const [flowId, ofFlow] of Map.groupBy(deltas, (delta) => delta.flowId)) {
      for (const listener of this.#listeners.get(flowId) ?? []) listener(ofFlow)
      for (const listener of this.#listeners.get(ALL) ?? []) listener(ofFlow)
    }
  }

  subscribe(flowId: string | typeof ALL, listener: TextListener): () => void {
    const listeners = this.#listeners.get(flowId) ?? new Set()
    this.#listeners.set(flowId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      // Who leaves a second time must not take along who came meanwhile.
      if (listeners.size === 0 && this.#listeners.get(flowId) === listeners) this.#listeners.delete(flowId)
    }
  }
}
