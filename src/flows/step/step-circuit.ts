/** What a failed call says of its destination: that it is down, or that it answers; nothing where the call was given up. */
export type Verdict = 'down' | 'up' | 'unknown'

/** A destination that steps of all flows of a context call. */
export interface Circuit {
  /**
   * Makes the call, unless the destination is known to be down: then it fails with `destination_down`, which is tried again
   * after a while, and nothing is sent. While it is down, one call at a time is made to see whether it answers again.
   */
  call<R>(work: () => Promise<R>, judge: (error: unknown) => Verdict): Promise<R>
}
