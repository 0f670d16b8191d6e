import { type Clock, timeOrderedIds } from './clock.ts'

/** A clock that stands still until the test moves it. */
export interface ManualClock extends Clock {
  /** Moves time on and fires what is due, in order. */
  advance(ms: number): void
  /** Time goes by while the process stands still: what is due fires afterwards, late. */
  freeze(ms: number): void
  /** Runs what asked to run soon, and what that asks for in turn. */
  turn(): void
  /** Timers that are running. */
  readonly timers: number
}

export const NOON = Date.UTC(2026, 0, 1, 12)

export function manualClock(start = NOON): ManualClock {
  let now = start
  let timers: { readonly at: number; readonly then: () => void }[] = []
  const soon: (() => void)[] = []
  const clock: ManualClock = {
    now: () => now,
    stopwatch: () => now - start,
    random: () => 0,
    startTimer(ms, then) {
      const timer = { at: now + ms, then }
      timers.push(timer)
      return {
        stop: () => {
          timers = timers.filter((other) => other !== timer)
        }
      }
    },
    after: (ms) => new Promise((resolve) => void clock.startTimer(ms, resolve)),
    soon: (then) => void soon.push(then),
    newId: timeOrderedIds(() => now),
    advance(ms) {
      const until = now + ms
      for (let due = nextOf(timers, until); due !== undefined; due = nextOf(timers, until)) {
        timers.splice(timers.indexOf(due), 1)
        now = due.at
        due.then()
      }
      now = until
    },
    freeze(ms) {
      now += ms
      const late = timers.filter(({ at }) => at <= now)
      timers = timers.filter(({ at }) => at > now)
      for (const { then } of late) then()
    },
    turn() {
      for (let then = soon.shift(); then !== undefined; then = soon.shift()) then()
    },
    get timers() {
      return timers.length
    }
  }
  return clock
}

function nextOf<T extends { readonly at: number }>(timers: readonly T[], until: number): T | undefined {
  return timers.filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at)[0]
}
