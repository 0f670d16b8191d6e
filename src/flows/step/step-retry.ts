/** When a step that failed is tried again. */
export interface RetryPolicy {
  /** How often the step is tried in all. */
  readonly attempts: number
  /** The wait before the second attempt; it doubles with each further one, with jitter. */
  readonly backoffMs: number
  readonly maxBackoffMs: number
  /**
   * In place of these: the waits before the second attempt, the third, and so on; the last one holds for all that follow. They
   * may be hours. A run that waits by a schedule has the status `waiting`, and somebody may let it go on at once.
   */
  readonly schedule?: readonly number[]
}
