/** So many places that are empty are kept at the front of the line before it is cut. */
const MOST_EMPTY = 1000

/** Who waits for something, in the order of arrival. To take the first of an array of thousands takes longer than to ask. */
export class CallerQueue<T = void> {
  #line: (((given: T) => void) | undefined)[] = []
  #first = 0

  /** Returns what leaves the line again. */
  join(call: (given: T) => void): () => void {
    this.#line.push(call)
    return () => {
      const at = this.#line.indexOf(call, this.#first)
      if (at >= 0) this.#line[at] = undefined
    }
  }

  /** False when nobody waits. */
  callNext(given: T): boolean {
    while (this.#first < this.#line.length) {
      const call = this.#line[this.#first]
      this.#line[this.#first++] = undefined
      if (this.#first > MOST_EMPTY) this.#cut()
      if (call === undefined) continue
      call(given)
      return true
    }
    this.#cut()
    return false
  }

  #cut(): void {
    this.#line = this.#line.slice(this.#first)
    this.#first = 0
  }
}
