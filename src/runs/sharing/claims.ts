import type { ClaimedRun } from '../../store/shared-store.ts'
import type { ExecutingRun, NewsOfRun } from '../execute/executing-run.ts'

/** A run that this process has claimed. Without an execution it has not begun. */
export interface Claim {
  readonly run: ClaimedRun
  execution: ExecutingRun | undefined
  /** A wait of it may have ended before it has begun, and after its journal was read. */
  mayBeWoken?: true
  /** It waits for what it has asked of others. */
  isAwaiting: boolean
  /** What it holds in memory since it has begun; see RunMemory. */
  weight: number
}

/** One that has not begun is told when it does. */
export function tellClaim(claim: Claim, news: NewsOfRun): void {
  if (claim.execution !== undefined) claim.execution.notify(news)
  else if (news === 'woken') claim.mayBeWoken = true
}

interface Counts {
  /** All of them. */
  claimed: number
  awaiting: number
}

const NONE: Readonly<Counts> = { claimed: 0, awaiting: 0 }

/**
 * All that this process has claimed, and how many of each flow. A run that it has parked may be claimed by it again before it learns that it is
 * parked: then there are both claims for that moment, and the run is found by the later one.
 */
export class Claims {
  readonly #all = new Set<Claim>()
  readonly #byId = new Map<string, Claim>()
  readonly #ofFlow = new Map<string, Counts>()

  get size(): number {
    return this.#all.size
  }

  get all(): Claim[] {
    return [...this.#all]
  }

  get(runId: string): Claim | undefined {
    return this.#byId.get(runId)
  }

  countsOf(flowId: string): Readonly<Counts> {
    return this.#ofFlow.get(flowId) ?? NONE
  }

  add(claim: Claim): void {
    const { id, flowId } = claim.run
    this.#all.add(claim)
    this.#byId.set(id, claim)
    const counts = this.#ofFlow.get(flowId)
    if (counts === undefined) this.#ofFlow.set(flowId, { claimed: 1, awaiting: 0 })
    else counts.claimed++
  }

  /** False where nothing changes: it is so already, or it was removed before. */
  setAwaiting(claim: Claim, isAwaiting: boolean): boolean {
    if (!this.#all.has(claim) || claim.isAwaiting === isAwaiting) return false
    claim.isAwaiting = isAwaiting
    this.#ofFlow.get(claim.run.flowId)!.awaiting += isAwaiting ? 1 : -1
    return true
  }

  /** False where it was removed before. */
  remove(claim: Claim): boolean {
    const { id, flowId } = claim.run
    this.setAwaiting(claim, false)
    if (!this.#all.delete(claim)) return false
    if (this.#byId.get(id) === claim) this.#byId.delete(id)
    const counts = this.#ofFlow.get(flowId)!
    if (--counts.claimed === 0) this.#ofFlow.delete(flowId)
    return true
  }

  clear(): void {
    this.#all.clear()
    this.#byId.clear()
    this.#ofFlow.clear()
  }
}
