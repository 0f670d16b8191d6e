/**
 * A set of numbers that is read in ascending order. They come in that order but for a few, so the set's own order is
 * the right one almost always, and it is put right when it is not.
 */
export class OrderedNumbers {
  #numbers = new Set<number>()
  #largest = 0
  #isOrdered = true
  /** Goes on where the last look at the front ended: what is gone in front of it is not passed again. */
  #front: SetIterator<number> | undefined
  #first: number | undefined
  #page: { readonly last: number; readonly rest: SetIterator<number> } | undefined

  get size(): number {
    return this.#numbers.size
  }

  has(number: number): boolean {
    return this.#numbers.has(number)
  }

  add(number: number): void {
    if (this.#numbers.size === 0) this.#reset()
    if (number < this.#largest) this.#isOrdered = false
    else this.#largest = number
    this.#numbers.add(number)
  }

  delete(number: number): boolean {
    return this.#numbers.delete(number)
  }

  first(): number | undefined {
    this.#putInOrder()
    if (this.#numbers.size === 0) return undefined
    this.#front ??= this.#numbers.values()
    while (this.#first === undefined || !this.#numbers.has(this.#first)) {
      this.#first = this.#front.next().value
    }
    return this.#first
  }

  after(number: number, limit: number): number[] {
    this.#putInOrder()
    // Whoever reads page after page goes on where the last page ended.
    const rest = this.#page?.last === number ? this.#page.rest : this.#numbers.values()
    const found: number[] = []
    while (found.length < limit) {
      const { value, done } = rest.next()
      if (done === true) {
        this.#page = undefined
        return found
      }
      if (value > number) found.push(value)
    }
    this.#page = { last: found.at(-1) ?? number, rest }
    return found
  }

  #putInOrder(): void {
    if (this.#isOrdered) return
    this.#numbers = new Set([...this.#numbers].sort((a, b) => a - b))
    this.#front = undefined
    this.#first = undefined
    this.#page = undefined
    this.#isOrdered = true
  }

  #reset(): void {
    this.#numbers = new Set()
    this.#largest = 0
    this.#isOrdered = true
    this.#front = undefined
    this.#first = undefined
    this.#page = undefined
  }
}
