import { performance } from 'node:perf_hooks'
import type { Clock } from '../../../clock.ts'

/** When the store does what is put off, and how it measures time: passed in so that a simulation decides both. */
export interface StoreTiming extends Pick<Clock, 'stopwatch' | 'soon' | 'startTimer'> {
  /** For how many milliseconds the thread has had nothing to do, from any fixed moment. */
  idleMs(): number
}

export const SYSTEM_TIMING: StoreTiming = {
  stopwatch: () => performance.now(),
  soon: (then) => void setImmediate(then),
  startTimer: (ms, then) => {
    const timer = setTimeout(then, ms)
    return { stop: () => clearTimeout(timer) }
  },
  idleMs: () => performance.eventLoopUtilization().idle
}
