import { type Clock, timeOrderedIds } from '../../clock.ts'
import type { StoreTiming } from '../../store/sqlite/file/store-timing.ts'
import type { SeededRandom } from '../seeded-random.ts'
import type { Owner, Scheduler } from './scheduler.ts'

export const BEGINNING = Date.UTC(2026, 0, 1, 12)

/** The time on the wall of the simulated machine, which somebody may set. */
export interface Wall {
  /** What it is ahead of the time that has passed. */
  skewMs: number
}

interface VirtualClockOptions {
  readonly scheduler: Scheduler
  readonly owner: Owner
  readonly random: SeededRandom
  readonly wall: Wall
  /** So long, at the most, does each look at the stopwatch take: what is computed takes time, too. */
  readonly costMs: number
}

/** Clock and timing of one simulated process. All that it starts comes back by way of the scheduler. */
export function virtualClock(options: VirtualClockOptions): Clock & StoreTiming {
  const { scheduler, owner, random, wall, costMs } = options
  let spentMs = 0
  const now = () => Math.floor(BEGINNING + wall.skewMs + scheduler.now)
  const startTimer: Clock['startTimer'] = (ms, then) => scheduler.add(ms, `timer ${ms}`, owner, then)
  const fill = (pool: Buffer) => {
    for (let at = 0; at < pool.length; at++) pool[at] = random.below(256)
    return pool
  }
  return {
    now,
    stopwatch: () => {
      if (costMs > 0) spentMs += random.next() * costMs
      return scheduler.now + spentMs
    },
    random: () => random.next(),
    startTimer,
    after: (ms) => new Promise((resolve) => void startTimer(ms, resolve)),
    soon: (then) => void scheduler.add(0, 'soon', owner, then),
    newId: timeOrderedIds(now, fill),
    idleMs: () => scheduler.now
  }
}
