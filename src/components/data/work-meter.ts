/** What a turn may do, in characters that are looked at or what takes as long: below a millisecond. */
const TURN = 16 * 1024

/** Counts the work of a long computation, whose items may be of any size, to know when others should have their turn. */
export class WorkMeter {
  #done = 0

  isTurnOver(work: number): boolean {
    this.#done += work
    if (this.#done < TURN) return false
    this.#done = 0
    return true
  }
}
