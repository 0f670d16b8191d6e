import type { Lane } from './lane.ts'

/** For so long in a turn of the loop runs hold the thread that callers wait for: to them, they are the request. */
export const AWAITED_SLICE_MS = 8

/** Lanes with runs that callers wait for: these begin before all others, and in turns. */
export class AwaitedLanes {
  readonly #lanes = new Set<Lane>()

  add(lane: Lane): void {
    this.#lanes.add(lane)
  }

  /** One with a run that can begin. */
  next(hasPlaceFor: (lane: Lane) => boolean): Lane | undefined {
    for (let left = this.#lanes.size; left > 0; left--) {
      const lane = this.#lanes.values().next().value!
      this.#lanes.delete(lane)
      if (lane.size === 0) continue
      this.#lanes.add(lane)
      if (hasPlaceFor(lane)) return lane
    }
    return undefined
  }
}
