import type { Clock } from '../clock.ts'

/**
 * How long one may keep the others out: one that waits for something that never comes would do so for ever. Longer than
 * slow steps take, since whoever goes on in company is blamed for deaths of others.
 */
const LONGEST_STAY_MS = 30_000

/**
 * A step can take the whole process with it: it calls process.exit, or eats all memory. At the next start its run
 * would be performed again, and so on for ever. An external step is found out by its journal, where it begins again
 * and again and never ends. A pure one has no journal, for speed; so runs that were in the hands of processes that
 * died are suspects, and their pure steps are written down before they begin like external ones.
 *
 * Many such steps begin with one commit, and one of them is deadly. Whatever was cut off like that is therefore tried
 * alone when its turn comes again: the next death has one suspect, and the others end meanwhile, one by one.
 */
export class Quarantine {
  readonly #clock: Pick<Clock, 'startTimer'>
  readonly #waiting = new Map<object, () => void>()
  #inside: object | undefined
  #stay: { stop(): void } | undefined

  constructor(clock: Pick<Clock, 'startTimer'>) {
    this.#clock = clock
  }

  /** Calls back when nobody else is in. */
  enter(guest: object, enter: () => void): void {
    this.#waiting.set(guest, enter)
    if (this.#inside === undefined) this.#next()
  }

  /** Whether the guest is in, still waits, or has stayed too long and left already. */
  leave(guest: object): void {
    this.#waiting.delete(guest)
    if (this.#inside !== guest) return
    this.#stay?.stop()
    this.#inside = undefined
    this.#next()
  }

  #next(): void {
    for (const [guest, enter] of this.#waiting) {
      this.#waiting.delete(guest)
      this.#inside = guest
      this.#stay = this.#clock.startTimer(LONGEST_STAY_MS, () => this.leave(guest))
      return enter()
    }
  }
}

/**
 * One death means little: machines lose power, and operators lose patience. So the first two leave runs as they are,
 * which costs nothing when they are taken up.
 */
export function isSuspect(deaths: number): boolean {
  return deaths >= 2
}
