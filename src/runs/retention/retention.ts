import type { Clock } from '../../clock.ts'
import { KNOWN_FOR_MS } from '../../store/deliveries.ts'
import type { RunStore } from '../../store/store.ts'
import { KEPT_FOR_MS } from './flow-bin.ts'
import { Sweeper, type SweeperDeps } from './sweeper.ts'

export interface RetentionSettings {
  /** Runs that ended longer ago than this go; null keeps them. */
  readonly maxAgeMs: number | null
  /** So many ended runs stay at the most; null keeps all. */
  readonly maxRuns: number | null
}

interface RetentionDeps extends Pick<SweeperDeps, 'onError' | 'isMine'> {
  readonly store: Pick<RunStore, 'prune' | 'forgetDeliveries'>
  readonly clock: Clock
  readonly settings: RetentionSettings
  /** Deletes one slice of the kept values whose time is over; resolves to how many went. */
  readonly removeExpired: (slice: number) => Promise<number>
  /** Deletes flows for good that were deleted before this moment; resolves to how many went. */
  readonly purgeFlows: (deletedBefore: number, most: number) => Promise<number>
}

/** Small enough that a request that arrives meanwhile waits about as long as for one group commit. */
const SLICE_RUNS = 200
const RUNS_PAUSE_MS = 60_000

/** Of deliveries that have been known for long enough nobody takes notice, so there is no hurry. */
const SLICE_DELIVERIES = 500
const DELIVERIES_PAUSE_MS = 600_000

/** Nobody sees them any more, so there is no hurry either. */
const SLICE_EXPIRED = 500
const EXPIRED_PAUSE_MS = 600_000

const SLICE_FLOWS = 20
const FLOWS_PAUSE_MS = 3_600_000

/** Deletes old runs by the settings, kept values when their time is over, what is known of deliveries after a day, and deleted flows after a month. */
export class Retention {
  readonly #settings: RetentionSettings
  readonly #runs: Sweeper
  readonly #deliveries: Sweeper
  readonly #flows: Sweeper
  readonly #expired: Sweeper

  constructor({ store, settings, purgeFlows, removeExpired, ...deps }: RetentionDeps) {
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
    this.#expired = new Sweeper({
      ...deps,
      doing: 'deleting kept values whose time is over',
      slice: SLICE_EXPIRED,
      pauseMs: EXPIRED_PAUSE_MS,
      deleteSlice: removeExpired
    })
    this.#flows = new Sweeper({
      ...deps,
      doing: 'deleting flows for good',
      slice: SLICE_FLOWS,
      pauseMs: FLOWS_PAUSE_MS,
      deleteSlice: (slice) => purgeFlows(clock.now() - KEPT_FOR_MS, slice)
    })
  }

  start(): void {
    this.#expired.start()
    const { maxAgeMs, maxRuns } = this.#settings
    if (maxAgeMs !== null || maxRuns !== null) this.#runs.start()
    this.#deliveries.start()
    this.#flows.start()
  }

  /** Resolves when nothing is being deleted any more. */
  async stop(): Promise<void> {
    await Promise.all([this.#runs.stop(), this.#deliveries.stop(), this.#flows.stop(), this.#expired.stop()])
  }

  /** Deletes old runs until nothing is left to delete; resolves to how many went. */
  sweep(): Promise<number> {
    return this.#runs.sweep()
  }
}

function ruleOf({ maxAgeMs, maxRuns }: RetentionSettings, now: number) {
  return {
    ...(maxAgeMs === null ? {} : { endedBefore: now - maxAgeMs }),
    ...(maxRuns === null ? {} : { keep: maxRuns })
  }
}
