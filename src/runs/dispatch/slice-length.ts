/** With nobody at the door, runs hold the thread for as long as does not show. */
const QUIET_SLICE_MS = 8

/**
 * The share of the thread's time that runs get while requests arrive. Accepting goes first; the share grows steeply
 * as the backlog fills, so a caller is slowed down before it is refused, and not long before: at half the backlog it
 * is 1 %, at nine tenths 35 %, where runs of a few pure steps leave as fast as others come.
 */
const SHARE = { least: 0.005, most: 0.8, steepness: 8 } as const

/** However long the last turn of the loop took, the next requests do not wait longer than this for runs. */
const LONGEST_SLICE_MS = 40

/**
 * For so long after a request it is busy. A turn of the loop in which no request was committed says nothing: the
 * next ones may be on their way already.
 */
const BUSY_FOR_MS = 50

interface SliceFacts {
  readonly now: number
  readonly lastAcceptedAt: number
  readonly lastSliceAt: number
  /** 0 to 1: how full the backlog is. */
  readonly pressure: () => number
}

/** For so many milliseconds runs may hold the thread now. */
export function sliceLength({ now, lastAcceptedAt, lastSliceAt, pressure }: SliceFacts): number {
  if (now - lastAcceptedAt > BUSY_FOR_MS) return QUIET_SLICE_MS
  const share = SHARE.least + (SHARE.most - SHARE.least) * pressure() ** SHARE.steepness
  return Math.min((now - lastSliceAt) * share, LONGEST_SLICE_MS)
}
