import type { ClaimedRun } from '../../store/shared-store.ts'
import type { ExecutingRun } from '../execute/executing-run.ts'

/** A run that this process has claimed. Without a execution it has not begun. */
export interface Held {
  readonly run: ClaimedRun
  execution: ExecutingRun | undefined
  /** It waits for what it has asked of others. */
  isAwaiting: boolean
  /** What it holds in memory since it has begun; see RunMemory. */
  weight: number
}

interface Counts {
  /** All of them. */
  held: number
  awaiting: number
}

const NONE: Readonly<Counts> = { held: 0, awaiting: 0 }

/**
 * All that this process has claimed, and how many of each flow. A run that it has parked may be claimed by it again before it learns that it is
 * parked: then both claims are held for that moment, and the run is found by the later one.
 */
export class HeldRuns {
  readonly #all = new Set<Held>()
  readonly #byId = new Map<string, Held>()
  readonly #ofFlow = new Map<string, Counts>()

  get size(): number {
    return this.#all.size
  }

  get all(): Held[] {
    return [...this.#all]
  }

  get(runId: string): Held | undefined {
    return this.#byId.get(runId)
  }

  countsOf(flowId: string): Readonly<Counts> {
    return this.#ofFlow.get(flowId) ?? NONE
  }

  add(held: Held): void {
    const { id, flowId } = held.run
    this.#all.add(held)
    this.#byId.set(id, held)
    const counts = this.#ofFlow.get(flowId)
    if (counts === undefined) this.#ofFlow.set(flowId, { held: 1, awaiting: 0 })
    else counts.held++
  }

  /** False where nothing changes: it is so already, or it was removed before. */
  setAwaiting(held: Held, isAwaiting: boolean): boolean {
    if (!this.#all.has(held) || held.isAwaiting === isAwaiting) return false
    held.isAwaiting = isAwaiting
    this.#ofFlow.get(held.run.flowId)!.awaiting += isAwaiting ? 1 : -1
    return true
  }

  /** False where it was removed before. */
  remove(held: Held): boolean {
    const { id, flowId } = held.run
    this.setAwaiting(held, false)
    if (!this.#all.delete(held)) return false
    if (this.#byId.get(id) === held) this.#byId.delete(id)
    const counts = this.#ofFlow.get(flowId)!
    if (--counts.held === 0) this.#ofFlow.delete(flowId)
    return true
  }

  clear(): void {
    this.#all.clear()
    this.#byId.clear()
    this.#ofFlow.clear()
  }
}
