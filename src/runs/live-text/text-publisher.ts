import { FlowListeners } from '../present/flow-listeners.ts'
import type { StepNews, TextListener, TextNews } from './text-news.ts'

/** Tells of the text that steps of this process put out, to who listens in this process. */
export class TextPublisher implements TextNews {
  readonly #listeners = new FlowListeners<readonly StepNews[]>()

  hasListeners(flowId: string): boolean {
    return this.#listeners.has(flowId)
  }

  /** The flows that somebody listens to; null stands for all. */
  listenedTo(): (string | null)[] {
    return this.#listeners.flows()
  }

  publish(news: readonly StepNews[]): void {
    if (this.#listeners.isEmpty) return
    for (const [flowId, ofFlow] of Map.groupBy(news, ({ flowId }) => flowId))
      this.#listeners.tell(flowId, ofFlow)
  }

  subscribe(flowId: string | null, listener: TextListener): () => void {
    return this.#listeners.add(flowId, listener)
  }
}
