/**
 * So many times as long as it may take, and no longer, is a step given to get as much of a processor. What counts is how long somebody
 * wanted to wait before the next look, and not what passed until it: in between the whole process may have stood still.
 */
export const MOST_TIMES = 10

/** Older versions of Node do not tell: then time that passes is all there is. */
function timeOfThread() {
  if (process.threadCpuUsage === undefined) return performance.now()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** In milliseconds, each from any fixed moment: what passes, and what this thread has had of a processor. */
const CLOCKS = { passed: () => performance.now(), had: timeOfThread }

/**
 * The time of a step. Code waits for nothing, so it has had as much time as its thread had a processor; while the machine was busy with
 * other things, or the whole process stood still, it had none. What has passed is asked first, which costs less.
 */
export class OwnTime {
  #clocks
  #ms = 0
  #from = 0
  #until = Number.POSITIVE_INFINITY
  /** So much may be waited for it, and what of that is waited now. */
  #patience = 0
  #waited = 0

  constructor(clocks = CLOCKS) {
    this.#clocks = clocks
  }

  /** What the thread has had by now. */
  get had() {
    return this.#clocks.had()
  }

  begin(ms) {
    const now = this.#clocks.passed()
    this.#ms = ms
    this.#from = this.#clocks.had()
    this.#patience = MOST_TIMES * ms
    this.#wait(now, ms)
  }

  isOver() {
    const now = this.#clocks.passed()
    if (now <= this.#until) return false
    const left = this.#ms - (this.#clocks.had() - this.#from)
    this.#patience -= this.#waited
    if (left <= 0 || this.#patience <= 0) return true
    this.#wait(now, left)
    return false
  }

  #wait(now, ms) {
    this.#waited = ms
    this.#until = now + ms
  }
}
