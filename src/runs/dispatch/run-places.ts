/** How many runs may be under way in this process. */
export interface PlaceLimits {
  /** Runs that compute. */
  readonly computing: number
  /** All of them, those included that wait for an answer from outside. */
  readonly underWay: number
  /** Bytes that they may hold by what they were given; see RunMemory. No bound where it is left out. */
  readonly memory?: number
}

/**
 * No flow may hold all places: however slow those are that it calls, others find room. Measured against nothing: it is
 * the rule that a quarter stays free.
 */
const SHARE_OF_ONE = 3 / 4

/**
 * The places of a process. A run that waits for others holds next to nothing, so its place among those that compute is
 * free for another; the bound for all is one of memory and of open sockets.
 */
export class RunPlaces {
  readonly #limits: PlaceLimits
  #underWay = 0
  #awaiting = 0

  constructor(limits: PlaceLimits) {
    this.#limits = limits
  }

  /** Runs that could begin now. */
  get free(): number {
    const { computing, underWay } = this.#limits
    return Math.min(computing - (this.#underWay - this.#awaiting), underWay - this.#underWay)
  }

  /** Those of one flow that may be under way at the same time. */
  get mostOfOne(): number {
    return shareOf(this.#limits.underWay)
  }

  get mostComputingOfOne(): number {
    return shareOf(this.#limits.computing)
  }

  take(): void {
    this.#underWay++
  }

  give(): void {
    this.#underWay--
  }

  awaits(isAwaiting: boolean): void {
    this.#awaiting += isAwaiting ? 1 : -1
  }
}

function shareOf(places: number): number {
  return Math.max(1, Math.floor(places * SHARE_OF_ONE))
}
