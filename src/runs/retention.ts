import type { Clock } from '../clock.ts'
import type { RunStore } from '../store/store.ts'

export interface RetentionSettings {
  /** Ended runs older than this go; null keeps them. */
  readonly maxAgeMs: number | null
  /** So many ended runs stay at the most; null keeps all. */
  readonly maxRuns: number | null
}

export interface RetentionDeps {
  readonly store: Pick<RunStore, 'prune'>
  readonly clock: Clock
  readonly settings: RetentionSettings
  readonly onError: (error: unknown, doing: string) => void
  /** Whether it is for this process to do; of several that share a store only one does it. */
  readonly isMine?: () => boolean
}

/** Small enough that a request that arrives meanwhile waits about as long as for one group commit. */
const SLICE_RUNS = 200
const PAUSE_MS = 60_000

/** Deletes old runs in small slices, with requests looked at in between, and rests when nothing is left to do. */
export class Retention {
  readonly #deps: RetentionDeps
  #timer: { stop(): void } | undefined
  #isStopped = false

  constructor(deps: RetentionDeps) {
    this.#deps = deps
  }

  start(): void {
    const { maxAgeMs, maxRuns } = this.#deps.settings
    if (maxAgeMs !== null || maxRuns !== null) this.#after(PAUSE_MS)
  }

  stop(): void {
    this.#isStopped = true
    this.#timer?.stop()
  }

  /** Deletes until nothing is left to delete; resolves to how many runs went. */
  async sweep(): Promise<number> {
    let total = 0
    for (;;) {
      const gone = await this.#deps.store.prune(this.#rule())
      total += gone
      if (gone < SLICE_RUNS || this.#isStopped) return total
      await new Promise<void>((resolve) => this.#deps.clock.soon(resolve))
    }
  }

  #rule() {
    const { maxAgeMs, maxRuns } = this.#deps.settings
    return {
      slice: SLICE_RUNS,
      ...(maxAgeMs === null ? {} : { acceptedBefore: this.#deps.clock.now() - maxAgeMs }),
      ...(maxRuns === null ? {} : { keep: maxRuns })
    }
  }

  #after(ms: number): void {
    if (this.#isStopped) return
    this.#timer = this.#deps.clock.startTimer(ms, () => {
      const done = this.#deps.isMine?.() === false ? Promise.resolve() : this.sweep()
      done
        .catch((error) => this.#deps.onError(error, 'deleting old runs'))
        .finally(() => this.#after(PAUSE_MS))
    })
  }
}
