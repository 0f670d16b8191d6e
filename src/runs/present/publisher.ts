import type { Clock } from '../../clock.ts'
import type { Change } from '../../store/store.ts'
import type { Listener, RunNews } from './run-news.ts'

/** Listens to all flows. */
const ALL = null

/**
 * Tells of the changes that this process itself has made, where it has the store to itself.
 *
 * The writes of one commit resolve in one turn of the loop but not strictly in order: some pass through more
 * promises than others. A listener that saw number 6 before 5 and then lost its connection would come back after
 * 6 and never see 5. So what a turn brings is gathered, sorted and told in the next one.
 */
export class Publisher implements RunNews {
  readonly #clock: Pick<Clock, 'soon'>
  readonly #listeners = new Map<string | typeof ALL, Set<Listener>>()
  #gathered: Change[] = []

  constructor(clock: Pick<Clock, 'soon'>) {
    this.#clock = clock
  }

  hasListeners(flowId: string): boolean {
    return this.#listeners.has(flowId) || this.#listeners.has(ALL)
  }

  publish(change: Change): void {
    if (!this.hasListeners(change.flowId)) return
    if (this.#gathered.length === 0) this.#clock.soon(() => this.#tell())
    this.#gathered.push(change)
  }

  subscribe(flowId: string | typeof ALL, listener: Listener): () => void {
    const listeners = this.#listeners.get(flowId) ?? new Set()
    this.#listeners.set(flowId, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      // Who leaves a second time must not take along who came meanwhile.
      if (listeners.size === 0 && this.#listeners.get(flowId) === listeners) this.#listeners.delete(flowId)
    }
  }

  #tell(): void {
    const gathered = this.#gathered.sort((a, b) => a.no - b.no)
    this.#gathered = []
    for (const change of gathered) {
      for (const listener of this.#listeners.get(change.flowId) ?? []) listener(change)
      for (const listener of this.#listeners.get(ALL) ?? []) listener(change)
    }
  }
}
