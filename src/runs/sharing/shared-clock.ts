import type { Clock } from '../../clock.ts'

/** The time that all processes go by which share a store. */
export interface SharedClock {
  readonly clock: Clock
  /** The database has said that it is `at`, in answer to what was asked when the stopwatch stood at `askedAt`. */
  told(at: number, askedAt: number): void
}

/**
 * The clock of the database, as far as this process knows it: what it was told last, and how long ago that was by a stopwatch
 * that nobody sets. Clocks of machines differ, and the database decides when a run is due that waits. A process whose own
 * clock was behind took such a run up, found that its time had not come and parked it again, ten times a second.
 *
 * An answer came somewhere between the question and now. As long as what is known fits in there nothing changes, so the time
 * does not jump with every answer that is a little late; and it is never before a moment that the database has told.
 */
export function sharedClock(own: Clock): SharedClock {
  /** What to add to the stopwatch. */
  let offset: number | undefined
  return {
    clock: {
      ...own,
      now: () => (offset === undefined ? own.now() : Math.round(own.stopwatch() + offset))
    },
    told(at, askedAt) {
      const [least, most] = [at - own.stopwatch(), at - askedAt]
      offset = Math.min(Math.max(offset ?? (least + most) / 2, least), most)
    }
  }
}
