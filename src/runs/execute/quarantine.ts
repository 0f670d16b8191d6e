import type { Clock } from '../../clock.ts'

/**
 * How long one may keep the others out: one that waits for something that never comes would do so for ever. Longer than
 * slow steps take, since whoever goes on in company is blamed for deaths of others.
 */
const LONGEST_STAY_MS = 30_000

/** For so long nobody is in or waits before the trials are held to be over: runs are taken up one after the other. */
const CALM_MS = 1_000

/**
 * A step can take the whole process with it: it calls process.exit, or eats all memory. At the next start its run
 * would be executed again, and so on for ever. An external step is found out by its journal, where it begins again
 * and again and never ends. A pure one has no journal, for speed; so runs that were in the hands of processes that
 * died are suspects, and their pure steps are written down before they begin like external ones.
 *
 * Many such steps begin with one commit, and one of them is deadly. Whatever was cut off like that is therefore tried
 * alone when its turn comes again: the next death has one suspect, and the others end meanwhile, one by one.
 *
 * A death in the middle of an external step counts against it, whatever the process died of. So those that were cut
 * off begin again when the trials are over: however many deadly steps are found out, nobody dies near them.
 */
export class Quarantine {
  readonly #clock: Pick<Clock, 'startTimer'>
  readonly #queued = new Map<object, () => void>()
  readonly #outside = new Map<object, () => void>()
  #inside: object | undefined
  #stay: { stop(): void } | undefined
  #calm: { stop(): void } | undefined

  constructor(clock: Pick<Clock, 'startTimer'>) {
    this.#clock = clock
  }

  /** Calls back when nobody else is in. */
  enter(guest: object, enter: () => void): void {
    this.#calm?.stop()
    this.#calm = undefined
    this.#queued.set(guest, enter)
    if (this.#inside === undefined) this.#next()
  }

  /** Calls back when nobody is in or waits to be. */
  afterwards(guest: object, goOn: () => void): void {
    this.#outside.set(guest, goOn)
    if (this.#inside === undefined) this.#awaitCalm()
  }

  /** Whether the guest is in, still waits, or has stayed too long and left already. */
  leave(guest: object): void {
    this.#queued.delete(guest)
    this.#outside.delete(guest)
    if (this.#inside !== guest) return
    this.#stay?.stop()
    this.#inside = undefined
    this.#next()
  }

  #next(): void {
    for (const [guest, enter] of this.#queued) {
      this.#queued.delete(guest)
      this.#inside = guest
      this.#stay = this.#clock.startTimer(LONGEST_STAY_MS, () => this.leave(guest))
      return enter()
    }
    if (this.#outside.size > 0) this.#awaitCalm()
  }

  #awaitCalm(): void {
    this.#calm ??= this.#clock.startTimer(CALM_MS, () => {
      this.#calm = undefined
      const all = [...this.#outside.values()]
      this.#outside.clear()
      for (const goOn of all) goOn()
    })
  }
}

/**
 * The rule, on both stores: of one death nobody thinks anything, since machines lose power and operators lose patience. The
 * step that the second one had in hand is put aside, to be tried alone. If the third one has it in hand again, it fails.
 *
 * What the second has in hand is known of a shared run by its journal: one process that died with this very run is enough for
 * its pure steps to be written down, and it had but a few. The embedded store does not know which runs a process had, and
 * writes marks into a file instead (see StepMarks). The journal tells there of what the marks do not, steps that wait: after
 * two deaths, since it is written for all that was left, and may be for ten thousand runs.
 */
export function isSuspectRun(deathsWithIt: number): boolean {
  return deathsWithIt >= 1
}

export function isSuspect(deathsInRow: number): boolean {
  return deathsInRow >= 2
}
