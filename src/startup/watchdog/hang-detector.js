/**
 * Decides from what is seen of the service's thread whether a computation holds it. Plain JavaScript, as all that
 * watchdog-thread.js loads while there is nothing to do.
 *
 * Silence alone proves nothing. The time in which nobody looked does not count: then the machine slept, or the whole
 * process was stopped. After a quarter of the limit it is observed what the thread does. A step must have had an eighth of
 * the limit to itself, without what the processor was busy with others: a step of less than that is not to blame on any
 * machine, and a loop is ended in time by all but the busiest. Outside of steps it must have computed for half of the
 * rest, since a thread that waits for the disk is not to be blamed for it.
 */
export class HangDetector {
  #limits
  #readTimes
  #lastAt = Number.NaN
  #lastBeats = Number.NaN
  #stoppingMs = 0
  /** Since when, in silence, it is observed what the thread does, and what it had used by then. */
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
    return this.#judgeSilence(seen)
  }

  #noteBeat(beats) {
    this.#lastBeats = beats
    this.silentMs = 0
    this.#observed = undefined
  }

  #judgeSilence(seen) {
    const { hangMs } = this.#limits
    if (hangMs === 0 || this.silentMs < hangMs / 4) return 'lives'
    const times = this.#readTimes()
    this.#observed ??= { ...times, silentMs: this.silentMs }
    const neededMs = seen.isComputingStep ? hangMs / 8 : (hangMs * 3) / 8
    const busyMs = this.#busyMs(seen, times)
    if (this.silentMs >= hangMs && busyMs >= neededMs) return 'hangs'
    return this.silentMs >= hangMs / 2 && busyMs >= neededMs / 4 ? 'may hang' : 'lives'
  }

  #busyMs({ isComputingStep, isReady }, { usedMs, queuedMs }) {
    const observed = this.#observed
    if (isComputingStep) return this.silentMs - observed.silentMs - (queuedMs - observed.queuedMs)
    // What a start does may take as long as it takes.
    return isReady ? usedMs - observed.usedMs : 0
  }
}
