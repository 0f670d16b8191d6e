import type { ClaimedRun, ClaimWish } from '../../store/shared-store.ts'
import type { RunPlaces } from '../dispatch/run-places.ts'
import type { Claims } from './claims.ts'

interface FlowTurnsDeps {
  readonly limitOf: (flowId: string) => number
  readonly claims: Pick<Claims, 'countsOf'>
  readonly places: Pick<RunPlaces, 'free' | 'mostOfOne' | 'mostComputingOfOne'>
}

/** Flows that one claim takes runs of; the others have their turn in the next one. */
const FLOWS_AT_ONCE = 16

/**
 * Whose runs are claimed next. Of eleven flows with work each gets an eleventh of the places, whether it has ten runs
 * queued or fifty thousand.
 */
export class FlowTurns {
  readonly #deps: FlowTurnsDeps
  /** Flows that may have work, in the order of their turns. */
  readonly #flows = new Set<string>()
  /** Flows whose limit was reached: they may have work as soon as one of their runs ends. */
  readonly #limited = new Set<string>()
  /** Flows that were told of since the last wishes: a claim that is under way may have missed what was told. */
  readonly #toldMeanwhile = new Set<string>()

  constructor(deps: FlowTurnsDeps) {
    this.#deps = deps
  }

  get areOver(): boolean {
    return this.#flows.size === 0
  }

  mayHaveWork(flowIds: readonly string[]): void {
    for (const flowId of flowIds) {
      this.#flows.add(flowId)
      this.#toldMeanwhile.add(flowId)
    }
  }

  /** Whether one of these flows, whose limit was reached, may have work again. */
  mayHaveRoom(flowIds: Iterable<string>): boolean {
    const freed = [...flowIds].filter((flowId) => this.#limited.delete(flowId))
    this.mayHaveWork(freed)
    return freed.length > 0
  }

  forgetLimits(): void {
    this.#limited.clear()
  }

  /** What to claim now. */
  wishes(): ClaimWish[] {
    this.#toldMeanwhile.clear()
    const { limitOf, places } = this.#deps
    const turns = [...this.#flows].slice(0, FLOWS_AT_ONCE)
    let room = places.free
    const share = Math.max(1, Math.floor(room / turns.length))
    const wishes: ClaimWish[] = []
    for (const flowId of turns) {
      const limit = limitOf(flowId)
      const wanted = Math.min(room, share, limit, this.#shareLeftTo(flowId))
      if (wanted > 0) wishes.push({ flowId, most: wanted, limit: Number.isFinite(limit) ? limit : null })
      else if (room > 0) this.#atLimit(flowId)
      room -= Math.max(0, wanted)
    }
    return wishes
  }

  /** Who had as much as was wished for goes to the end of the line, who had less has no more work for now. */
  served(wishes: readonly ClaimWish[], runs: readonly ClaimedRun[]): void {
    const counts = new Map<string, number>()
    for (const { flowId } of runs) counts.set(flowId, (counts.get(flowId) ?? 0) + 1)
    for (const { flowId, most, limit } of wishes) {
      this.#flows.delete(flowId)
      if (counts.get(flowId) === most || this.#toldMeanwhile.has(flowId)) this.#flows.add(flowId)
      else if (limit !== null) this.#limited.add(flowId)
    }
  }

  #shareLeftTo(flowId: string): number {
    const { claimed, awaiting } = this.#deps.claims.countsOf(flowId)
    const { mostOfOne, mostComputingOfOne } = this.#deps.places
    return Math.min(mostOfOne - claimed, mostComputingOfOne - (claimed - awaiting))
  }

  #atLimit(flowId: string): void {
    this.#flows.delete(flowId)
    this.#limited.add(flowId)
  }
}
