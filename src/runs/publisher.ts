import type { Clock } from '../clock.ts'
import type { Change } from '../store/store.ts'

export type Listener = (change: Change) => void

/**
 * Tells whoever listens to a flow of its changes, after they are durable and in the order of their numbers.
 *
 * The writes of one commit resolve in one turn of the loop but not strictly in order: some pass through more
 * promises than others. A listener that saw number 6 before 5 and then lost its connection would come back after
 * 6 and never see 5. So what a turn brings is gathered, sorted and told in the next one.
 */
export class Publisher {
  readonly #clock: Pick<Clock, 'soon'>
  readonly #listeners = new Map<string, Set<Listener>>()
  #gathered: { readonly flowId: string; readonly change: Change }[] = []

  constructor(clock: Pick<Clock, 'soon'>) {
    this.#clock = clock
  }

  /** So that a change nobody listens to need not be put together. */
  hasListeners(flowId: string): boolean {
    return this.#listeners.has(flowId)
  }

  publish(flowId: string, change: Change): void {
    if (!this.#listeners.has(flowId)) return
    if (this.#gathered.length === 0) this.#clock.soon(() => this.#tell())
    this.#gathered.push({ flowId, change })
  }

  /** Returns what ends the subscription. */
  subscribe(flowId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(flowId) ?? new Set()
    this.#listeners.set(flowId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      // Who leaves a second time must not take along who came meanwhile.
      if (listeners.size === 0 && this.#listeners.get(flowId) === listeners) this.#listeners.delete(flowId)
    }
  }

  #tell(): void {
    const gathered = this.#gathered.sort((a, b) => a.change.no - b.change.no)
    this.#gathered = []
    for (const { flowId, change } of gathered) {
      for (const listener of this.#listeners.get(flowId) ?? []) listener(change)
    }
  }
}
