import type { ClaimedRun } from '../../store/shared-store.ts'
import type { Performance } from '../performance.ts'

/** A run that this process has claimed. Without a performance it has not begun. */
export interface Held {
  readonly run: ClaimedRun
  performance: Performance | undefined
}

/** All that this process has claimed, and how many of each flow. */
export class HeldRuns {
  readonly #byId = new Map<string, Held>()
  readonly #ofFlow = new Map<string, number>()

  get size(): number {
    return this.#byId.size
  }

  get all(): Held[] {
    return [...this.#byId.values()]
  }

  get(runId: string): Held | undefined {
    return this.#byId.get(runId)
  }

  countOf(flowId: string): number {
    return this.#ofFlow.get(flowId) ?? 0
  }

  add(held: Held): void {
    const { id, flowId } = held.run
    this.#byId.set(id, held)
    this.#ofFlow.set(flowId, this.countOf(flowId) + 1)
  }

  /** False where it was removed before. */
  remove({ run: { id, flowId } }: Held): boolean {
    if (!this.#byId.delete(id)) return false
    const left = this.countOf(flowId) - 1
    if (left > 0) this.#ofFlow.set(flowId, left)
    else this.#ofFlow.delete(flowId)
    return true
  }

  clear(): void {
    this.#byId.clear()
    this.#ofFlow.clear()
  }
}
