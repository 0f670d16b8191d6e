import type { ModelUsage } from './model-usage.ts'

/** So many spans of time of one length, one after the other. */
export interface StatsQuestion {
  readonly flowIds?: readonly string[]
  /** Where the first span begins, in milliseconds since 1970. */
  readonly from: number
  /** How long each one is, in whole milliseconds. */
  readonly width: number
  readonly spans: number
}

/** What came of the runs that were accepted in one span of time. */
export interface RunStats {
  readonly succeeded: number
  readonly failed: number
  readonly cancelled: number
  /** No outcome yet. */
  readonly open: number
  /**
   * How long half of the ended runs took at the most, and 99 of 100 (the nearest rank), from start to end in
   * milliseconds. May be off by a twentieth. Null where no run that was started has ended.
   */
  readonly p50: number | null
  readonly p99: number | null
  /**
   * Of the runs that have ended, or had before they were opened again; by name. Of all spans together MOST_MODELS are told
   * apart, those that used most.
   */
  readonly usage: readonly ModelUsage[]
}
