import type { Clock } from '../../clock.ts'
import type { Change } from '../../store/store.ts'
import { FlowListeners } from './flow-listeners.ts'
import type { Listener, RunNews } from './run-news.ts'

/** For so long listeners have the thread. */
const TURN_MS = 8
/** So many changes may wait for the next turn. More would pile up in memory: then they are told as they come. */
const MOST_PUT_OFF = 1_000

/**
 * Tells of the changes that this process itself has made, where it has the store to itself.
 *
 * The writes of one commit resolve in one turn of the loop but not strictly in order: some pass through more
 * promises than others. A listener that saw number 6 before 5 and then lost its connection would come back after
 * 6 and never see 5. So what a turn brings is gathered, sorted and told in the next one.
 */
export class Publisher implements RunNews {
  readonly #clock: Pick<Clock, 'soon' | 'stopwatch'>
  readonly #listeners = new FlowListeners<Change>()
  #gathered: Change[] = []

  constructor(clock: Pick<Clock, 'soon' | 'stopwatch'>) {
    this.#clock = clock
  }

  hasListeners(flowId: string): boolean {
    return this.#listeners.has(flowId)
  }

  publish(change: Change): void {
    if (!this.hasListeners(change.flowId)) return
    this.#tellLater([change])
  }

  subscribe(flowId: string | null, listener: Listener): () => void {
    return this.#listeners.add(flowId, listener)
  }

  /** With those that come meanwhile. */
  #tellLater(changes: readonly Change[]): void {
    if (this.#gathered.length === 0) this.#clock.soon(() => this.#tell())
    this.#gathered.push(...changes)
  }

  #tell(): void {
    const gathered = this.#gathered.sort((a, b) => a.no - b.no)
    this.#gathered = []
    const since = this.#clock.stopwatch()
    for (const [at, change] of gathered.entries()) {
      this.#listeners.tell(change.flowId, change)
      const left = gathered.length - at - 1
      if (left === 0 || left > MOST_PUT_OFF || this.#clock.stopwatch() - since < TURN_MS) continue
      return this.#tellLater(gathered.slice(at + 1))
    }
  }
}
