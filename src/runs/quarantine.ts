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
  readonly #waiting: (() => void)[] = []
  #isTaken = false

  /** Calls back when nobody else is in; whoever was called leaves, once. */
  enter(enter: () => void): void {
    this.#waiting.push(enter)
    if (!this.#isTaken) this.#next()
  }

  leave(): void {
    this.#next()
  }

  #next(): void {
    const enter = this.#waiting.shift()
    this.#isTaken = enter !== undefined
    enter?.()
  }
}

/**
 * One death means little: machines lose power, and operators lose patience. So the first two leave runs as they are,
 * which costs nothing when they are taken up.
 */
export function isSuspect(deaths: number): boolean {
  return deaths >= 2
}
