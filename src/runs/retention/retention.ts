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
  /** Deletes one slice of what no collection names any more; resolves to how much was looked at. */
  readonly sweepKnowledge: (looseBefore: number, slice: number) => Promise<number>
  /** Deletes one slice of the summaries of turns that are gone; resolves to how many went. */
  readonly sweepSummaries: (slice: number) => Promise<number>
  /** Gives texts of collections their meaning by the model that is theirs now. */
  readonly reembed: () => Promise<void>
  /** Deletes flows for good that were deleted before this moment; resolves to how many went. */
  readonly purgeFlows: (deletedBefore: number, most: number) => Promise<number>
  readonly files: SweptFiles
}

/** Each resolves to how many were looked at: fewer than the slice at the end. */
interface SweptFiles {
  /** Deletes one slice of the files that no run names, a day after they came. */
  unnamed(slice: number): Promise<number>
  /** Removes bytes that no file has, a day after they were written, among the next so many. */
  strays(slice: number): Promise<number>
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

/** They were there for a day: there is no hurry. */
const SLICE_FILES = 100
const FILES_PAUSE_MS = 600_000

/** Left over from uploads that a process did not live to end. To find them all bytes are listed. */
const SLICE_STRAYS = 1_000
const STRAYS_PAUSE_MS = 6 * 3_600_000

/** Pieces that a step did not live to name are there for a day. */
const SLICE_KNOWLEDGE = 200
const KNOWLEDGE_PAUSE_MS = 600_000
/** To find them all summaries are looked at. */
const SLICE_SUMMARIES = 200
const SUMMARIES_PAUSE_MS = 3_600_000
const LOOSE_FOR_MS = 24 * 3_600_000

/** Mostly it is done at once; this is for what a process has left when it ended. */
const REEMBED_PAUSE_MS = 60_000

const SLICE_FLOWS = 20
const FLOWS_PAUSE_MS = 3_600_000

/** Deletes old runs by the settings, kept values when their time is over, what is known of deliveries and files that no run names after a day, and deleted flows after a month. */
export class Retention {
  readonly #settings: RetentionSettings
  readonly #runs: Sweeper
  /** Whatever the settings say. */
  readonly #always: readonly Sweeper[]

  constructor({
    store,
    settings,
    purgeFlows,
    removeExpired,
    sweepKnowledge,
    sweepSummaries,
    reembed,
    files,
    ...deps
  }: RetentionDeps) {
    const { clock } = deps
    this.#settings = settings
    this.#runs = new Sweeper({
      ...deps,
      doing: 'deleting old runs',
      slice: SLICE_RUNS,
      pauseMs: RUNS_PAUSE_MS,
      deleteSlice: (slice) => store.prune({ slice, ...ruleOf(settings, clock.now()) })
    })
    this.#always = [
      {
        doing: 'forgetting old deliveries',
        slice: SLICE_DELIVERIES,
        pauseMs: DELIVERIES_PAUSE_MS,
        deleteSlice: (slice: number) => store.forgetDeliveries(clock.now() - KNOWN_FOR_MS, slice)
      },
      {
        doing: 'deleting kept values whose time is over',
        slice: SLICE_EXPIRED,
        pauseMs: EXPIRED_PAUSE_MS,
        deleteSlice: removeExpired
      },
      {
        doing: 'deleting what no collection names',
        slice: SLICE_KNOWLEDGE,
        pauseMs: KNOWLEDGE_PAUSE_MS,
        deleteSlice: (slice: number) => sweepKnowledge(clock.now() - LOOSE_FOR_MS, slice)
      },
      {
        doing: 'deleting summaries of turns that are gone',
        slice: SLICE_SUMMARIES,
        pauseMs: SUMMARIES_PAUSE_MS,
        deleteSlice: sweepSummaries
      },
      {
        doing: 'giving texts of collections their meaning anew',
        slice: 1,
        pauseMs: REEMBED_PAUSE_MS,
        deleteSlice: async () => {
          await reembed()
          return 0
        }
      },
      {
        doing: 'deleting files that no run names',
        slice: SLICE_FILES,
        pauseMs: FILES_PAUSE_MS,
        deleteSlice: (slice: number) => files.unnamed(slice)
      },
      {
        doing: 'removing bytes that no file has',
        slice: SLICE_STRAYS,
        pauseMs: STRAYS_PAUSE_MS,
        deleteSlice: (slice: number) => files.strays(slice)
      },
      {
        doing: 'deleting flows for good',
        slice: SLICE_FLOWS,
        pauseMs: FLOWS_PAUSE_MS,
        deleteSlice: (slice: number) => purgeFlows(clock.now() - KEPT_FOR_MS, slice)
      }
    ].map((sweep) => new Sweeper({ ...deps, ...sweep }))
  }

  start(): void {
    const { maxAgeMs, maxRuns } = this.#settings
    if (maxAgeMs !== null || maxRuns !== null) this.#runs.start()
    for (const sweeper of this.#always) sweeper.start()
  }

  /** Resolves when nothing is being deleted any more. */
  async stop(): Promise<void> {
    await Promise.all([this.#runs, ...this.#always].map((sweeper) => sweeper.stop()))
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
