/** So many times as long as it may take, and no longer, is a step given to get as much of a processor. */
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
  #latest = Number.POSITIVE_INFINITY

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
    this.#until = now + ms
    this.#latest = now + MOST_TIMES * ms
  }

  isOver() {
    const now = this.#clocks.passed()
    if (now <= this.#until) return false
    const left = this.#ms - (this.#clocks.had() - this.#from)
    if (left <= 0 || now > this.#latest) return true
    this.#until = Math.min(now + left, this.#latest)
    return false
  }
}
