import type { Clock } from '../clock.ts'
import { KNOWN_FOR_MS } from '../store/deliveries.ts'
import type { RunStore } from '../store/store.ts'
import { Sweeper, type SweeperDeps } from './sweeper.ts'

export interface RetentionSettings {
  /** Ended runs older than this go; null keeps them. */
  readonly maxAgeMs: number | null
  /** So many ended runs stay at the most; null keeps all. */
  readonly maxRuns: number | null
}

export interface RetentionDeps extends Pick<SweeperDeps, 'onError' | 'isMine'> {
  readonly store: Pick<RunStore, 'prune' | 'forgetDeliveries'>
  readonly clock: Clock
  readonly settings: RetentionSettings
}

/** Small enough that a request that arrives meanwhile waits about as long as for one group commit. */
const SLICE_RUNS = 200
const RUNS_PAUSE_MS = 60_000

/** Of deliveries that have been known for long enough nobody takes notice, so there is no hurry. */
const SLICE_DELIVERIES = 500
const DELIVERIES_PAUSE_MS = 600_000

/** Deletes old runs by the settings, and what is known of deliveries after a day. */
export class Retention {
  readonly #settings: RetentionSettings
  readonly #runs: Sweeper
  readonly #deliveries: Sweeper

  constructor({ store, settings, ...deps }: RetentionDeps) {
    const { clock } = deps
    this.#settings = settings
    this.#runs = new Sweeper({
      ...deps,
      doing: 'deleting old runs',
      slice: SLICE_RUNS,
      pauseMs: RUNS_PAUSE_MS,
      deleteSlice: (slice) => store.prune({ slice, ...ruleOf(settings, clock.now()) })
    })
    this.#deliveries = new Sweeper({
      ...deps,
      doing: 'forgetting old deliveries',
      slice: SLICE_DELIVERIES,
      pauseMs: DELIVERIES_PAUSE_MS,
      deleteSlice: (slice) => store.forgetDeliveries(clock.now() - KNOWN_FOR_MS, slice)
    })
  }

  start(): void {
    const { maxAgeMs, maxRuns } = this.#settings
    if (maxAgeMs !== null || maxRuns !== null) this.#runs.start()
    this.#deliveries.start()
  }

  /** Resolves when nothing is being deleted any more. */
  async stop(): Promise<void> {
    await Promise.all([this.#runs.stop(), this.#deliveries.stop()])
  }

  /** Deletes old runs until nothing is left to delete; resolves to how many went. */
  sweep(): Promise<number> {
    return this.#runs.sweep()
  }
}

function ruleOf({ maxAgeMs, maxRuns }: RetentionSettings, now: number) {
  return {
    ...(maxAgeMs === null ? {} : { acceptedBefore: now - maxAgeMs }),
    ...(maxRuns === null ? {} : { keep: maxRuns })
  }
}
