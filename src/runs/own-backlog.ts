import type { RunStore } from '../store/store.ts'
import type { Backlog } from './dispatch.ts'

/** The backlog of a process that has the store to itself: counted once, and then kept. */
export class OwnBacklog implements Backlog {
  readonly #store: Pick<RunStore, 'backlog'>
  count = 0

  constructor(store: Pick<RunStore, 'backlog'>) {
    this.#store = store
  }

  add(difference: 1 | -1): void {
    this.count += difference
  }

  async load(): Promise<void> {
    for (const runs of (await this.#store.backlog()).values()) this.count += runs
  }
}
