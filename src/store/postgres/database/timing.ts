import type { Clock } from '../../../clock.ts'

/** When the store does what is put off, and how it measures time: passed in so that a simulation decides both. */
export type Timing = Pick<Clock, 'stopwatch' | 'soon' | 'startTimer'>

/** Nothing that it starts keeps the process alive: its connections do, for as long as the store is open. */
export const SYSTEM_TIMING: Timing = {
  stopwatch: () => performance.now(),
  soon: (then) => void setImmediate(then),
  startTimer: (ms, then) => {
    const timer = setTimeout(then, ms)
    timer.unref()
    return { stop: () => clearTimeout(timer) }
  }
}
