import type { Work } from '../dispatch/dispatch.ts'
import { RunMemory, weightOf } from '../dispatch/run-memory.ts'
import type { RunInMemory } from '../execute/run-window.ts'
import type { Claim } from './claims.ts'

interface QueuedClaimsDeps extends Pick<Work, 'clock' | 'isCrowded'> {
  /** What runs under way may hold in memory, in bytes. */
  readonly memory: number | undefined
  readonly execute: (claim: Claim, queued: RunInMemory) => void
  /** A slice is over: some have begun, and there may be room for others. */
  readonly onSlice: () => void
}

/** Runs hold the thread for so long before requests and answers are looked at again. */
const SLICE_MS = 5

/**
 * - resting: nothing that is queued here can begin, or nothing is.
 * - scheduled: a slice is about to begin what can.
 * - stopped: nothing begins any more, and nothing is queued.
 */
type Mode = 'resting' | 'scheduled' | 'stopped'

/** Runs that this process has claimed and that have not begun: they do so in slices, as far as memory has room. */
export class QueuedClaims {
  readonly #deps: QueuedClaimsDeps
  readonly #memory: RunMemory
  #queued: Claim[] = []
  #mode: Mode = 'resting'

  constructor(deps: QueuedClaimsDeps) {
    this.#deps = deps
    this.#memory = new RunMemory(deps.memory)
  }

  get count(): number {
    return this.#queued.length
  }

  get hasRoom(): boolean {
    return this.#memory.hasRoom && !this.#deps.isCrowded()
  }

  add(claim: Claim): void {
    this.#queued.push(claim)
  }

  remove(claim: Claim): void {
    this.#queued = this.#queued.filter((each) => each !== claim)
  }

  /** Returns what was queued. */
  stop(): Claim[] {
    this.#mode = 'stopped'
    return this.#queued.splice(0)
  }

  schedule(): void {
    if (this.#mode !== 'resting' || this.#queued.length === 0 || !this.hasRoom) return
    this.#mode = 'scheduled'
    this.#deps.clock.soon(() => this.#slice())
  }

  /** It holds nothing in memory any more. */
  executed({ run, weight }: Claim): void {
    if (weight > 0) this.#memory.give(run.flowId, weight)
  }

  #slice(): void {
    if (this.#mode === 'stopped') return
    this.#mode = 'resting'
    const { stopwatch } = this.#deps.clock
    const deadline = stopwatch() + SLICE_MS
    let next: Claim | undefined
    while (this.hasRoom) {
      next = this.#next()
      if (next === undefined) break
      this.#execute(next)
      if (stopwatch() >= deadline) break
    }
    if (next !== undefined) this.schedule()
    this.#deps.onSlice()
  }

  /** First come, first served, but for those of a flow that holds as much in memory as one may. */
  #next(): Claim | undefined {
    const at = this.#queued.findIndex(({ run }) => this.#memory.hasRoomFor(run.flowId))
    return at < 0 ? undefined : this.#queued.splice(at, 1)[0]
  }

  #execute(claim: Claim): void {
    const { run } = claim
    const queued = {
      run,
      journal: run.journal,
      mayHaveHung: run.deaths > 0,
      hasSeenOneDeath: run.deaths === 1
    }
    claim.weight = weightOf(queued)
    this.#memory.take(run.flowId, claim.weight)
    this.#deps.execute(claim, queued)
  }
}
