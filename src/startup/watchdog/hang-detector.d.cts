/** What is seen of the service's thread at one look. */
export interface Seen {
  /** Milliseconds of a clock that is never set. */
  readonly at: number
  /** Changes as long as the thread lives. */
  readonly beats: number
  readonly isComputingStep: boolean
  /** Whether the service has started. */
  readonly isReady: boolean
  readonly isStopping: boolean
  readonly isDebugged: boolean
}

/** What the service's thread has got of the processor since it was started. */
export interface ThreadTimes {
  readonly usedMs: number
  /** For so long it could have computed, and others did. */
  readonly queuedMs: number
}

export interface HangLimits {
  /** For so long one computation may hold the thread; 0 is for ever. */
  readonly hangMs: number
  /** For so long a stop may take. */
  readonly stopMs: number
  /** Where more than this is between two looks, the watch itself did not run, and it does not count. */
  readonly mostBetweenLooksMs: number
}

export type Verdict = 'lives' | 'may hang' | 'hangs' | 'stops too slowly'

export declare class HangDetector {
  constructor(limits: HangLimits, readTimes: () => ThreadTimes)
  /** How long nothing was heard of the thread. */
  readonly silentMs: number
  look(seen: Seen): Verdict
}
