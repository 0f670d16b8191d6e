/**
 * Decides from what is seen of the service's thread whether a computation holds it. Plain JavaScript, as all that
 * watchdog-thread.cjs loads while there is nothing to do.
 *
 * Silence alone proves nothing. The time in which nobody looked does not count: then the machine slept, or the whole
 * process was stopped. After a quarter of the limit it is observed what the thread does. A step must have had an eighth of
 * the limit to itself, without what the processor was busy with others: a step of less than that is not to blame on any
 * machine, and a loop is ended in time by all but the busiest. Outside of steps it must have computed for half of the
 * rest, since a thread that waits for the disk is not to be blamed for it.
 */
class HangDetector {
  #limits
  #readTimes
  #lastAt = Number.NaN
  #lastBeats = Number.NaN
  #stoppingMs = 0
  /** What the thread has done since, in silence, that is observed, and its times at the last look. */
  #observed
  silentMs = 0

  constructor(limits, readTimes) {
    this.#limits = limits
    this.#readTimes = readTimes
  }

  look(seen) {
    const sinceMs = seen.at - this.#lastAt
    const passedMs = sinceMs <= this.#limits.mostBetweenLooksMs ? sinceMs : 0
    this.#lastAt = seen.at
    this.#stoppingMs += seen.isStopping ? passedMs : 0
    if (seen.beats === this.#lastBeats && !seen.isDebugged) this.silentMs += passedMs
    else this.#noteBeat(seen.beats)
    if (seen.isDebugged) return 'lives'
    if (this.#stoppingMs >= this.#limits.stopMs) return 'stops too slowly'
    return this.#judgeSilence(seen, passedMs)
  }

  #noteBeat(beats) {
    this.#lastBeats = beats
    this.silentMs = 0
    this.#observed = undefined
  }

  #judgeSilence(seen, passedMs) {
    const { hangMs } = this.#limits
    if (hangMs === 0 || this.silentMs < hangMs / 4) return 'lives'
    const { ownMs, usedMs } = this.#observe(passedMs)
    const neededMs = seen.isComputingStep ? hangMs / 8 : (hangMs * 3) / 8
    // What a start does may take as long as it takes.
    const busyMs = seen.isComputingStep ? ownMs : seen.isReady ? usedMs : 0
    if (this.silentMs >= hangMs && busyMs >= neededMs) return 'hangs'
    return this.silentMs >= hangMs / 2 && busyMs >= neededMs / 4 ? 'may hang' : 'lives'
  }

  /**
   * What it waited for in a time that does not count does not count either: taken from the time that does, it would have
   * let a loop live for minutes where the watch itself once got no processor.
   */
  #observe(passedMs) {
    const times = this.#readTimes()
    const { ownMs, usedMs, last } = this.#observed ?? { ownMs: 0, usedMs: 0, last: times }
    const isCounted = this.#observed !== undefined && passedMs > 0
    this.#observed = {
      ownMs: ownMs + (isCounted ? passedMs - (times.queuedMs - last.queuedMs) : 0),
      usedMs: usedMs + times.usedMs - last.usedMs,
      last: times
    }
    return this.#observed
  }
}

module.exports = { HangDetector }
