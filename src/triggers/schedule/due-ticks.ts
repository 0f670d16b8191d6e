/** When a schedule comes. */
export interface Times {
  /** The first time after this moment; undefined where none comes any more. */
  next(after: number): number | undefined
}

export interface Tick {
  readonly at: number
  readonly isLate: boolean
}

export interface DueQuestion {
  /** Times up to this one have had their run, or are to have none. */
  readonly after: number
  readonly now: number
  /** Since when somebody watches; what was due before that was missed, unless all of it can still be made up for. */
  readonly watchedSince: number
  /** Whether the last of those that were missed is run. */
  readonly runsMissed: boolean
}

interface DueTicks {
  readonly ticks: readonly Tick[]
  /** When to look again; undefined where no time comes any more. */
  readonly next: number | undefined
}

/**
 * Nothing counts as missed that is made up for within this time, whatever it was that came between: a restart, a process that
 * died and whose triggers another one took over, a full backlog. Later it does, also where the service was up: the clock was set,
 * or nothing could be written.
 */
export const LATE_AFTER_MS = 60_000
const SECOND = 1_000

/** The times that are due, and the first one that is not. Of those that were missed only the last counts. */
export function dueTicks(times: Times, { after, now, watchedSince, runsMissed }: DueQuestion): DueTicks {
  const ticks: Tick[] = []
  let next = times.next(after)
  if (next !== undefined && next < now - LATE_AFTER_MS) {
    const onTimeFrom = Math.max(watchedSince, now - LATE_AFTER_MS)
    const missed = lastBefore(times, next, Math.min(onTimeFrom, now + 1))
    if (runsMissed) ticks.push({ at: missed, isLate: true })
    next = times.next(missed)
  }
  for (; next !== undefined && next <= now; next = times.next(next)) ticks.push({ at: next, isLate: false })
  return { ticks, next }
}

/**
 * The last time before this end; `first` is one. By halves, since there may be a million of them: times are whole seconds,
 * and an earlier moment never has a later next time.
 */
function lastBefore(times: Times, first: number, end: number): number {
  let [found, to] = [first, end]
  while (to > found) {
    const middle = found + Math.floor((to - found) / (2 * SECOND)) * SECOND
    const next = times.next(middle)
    if (next !== undefined && next < end) found = next
    else to = middle
  }
  return found
}
