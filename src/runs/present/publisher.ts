import type { Clock } from '../../clock.ts'
import type { Change } from '../../store/store.ts'
import { FlowListeners } from './flow-listeners.ts'
import type { Listener, RunNews } from './run-news.ts'

/**
 * Tells of the changes that this process itself has made, where it has the store to itself.
 *
 * The writes of one commit resolve in one turn of the loop but not strictly in order: some pass through more
 * promises than others. A listener that saw number 6 before 5 and then lost its connection would come back after
 * 6 and never see 5. So what a turn brings is gathered, sorted and told in the next one.
 */
export class Publisher implements RunNews {
  readonly #clock: Pick<Clock, 'soon'>
  readonly #listeners = new FlowListeners<Change>()
  #gathered: Change[] = []

  constructor(clock: Pick<Clock, 'soon'>) {
    this.#clock = clock
  }

  hasListeners(flowId: string): boolean {
    return this.#listeners.has(flowId)
  }

  publish(change: Change): void {
    if (!this.hasListeners(change.flowId)) return
    if (this.#gathered.length === 0) this.#clock.soon(() => this.#tell())
    this.#gathered.push(change)
  }

  subscribe(flowId: string | null, listener: Listener): () => void {
    return this.#listeners.add(flowId, listener)
  }

  #tell(): void {
    const gathered = this.#gathered.sort((a, b) => a.no - b.no)
    this.#gathered = []
    for (const change of gathered) this.#listeners.tell(change.flowId, change)
  }
}
