/** Things that are due at some time, of which the earliest is at hand: a binary heap. */
export class EarliestFirst<T> {
  readonly #heap: { readonly at: number; readonly thing: T }[] = []

  get earliest(): number | undefined {
    return this.#heap[0]?.at
  }

  add(at: number, thing: T): void {
    const heap = this.#heap
    heap.push({ at, thing })
    for (let child = heap.length - 1; child > 0; ) {
      const parent = (child - 1) >> 1
      if (heap[parent]!.at <= heap[child]!.at) return
      this.#swap(parent, child)
      child = parent
    }
  }

  /** The earliest, where it is due. */
  take(now: number): T | undefined {
    const heap = this.#heap
    const [first] = heap
    if (first === undefined || first.at > now) return undefined
    const last = heap.pop()!
    if (heap.length > 0) {
      heap[0] = last
      this.#sink()
    }
    return first.thing
  }

  #sink(): void {
    const heap = this.#heap
    for (let parent = 0; ; ) {
      const [left, right] = [2 * parent + 1, 2 * parent + 2]
      let least = parent
      for (const child of [left, right]) {
        if (child < heap.length && heap[child]!.at < heap[least]!.at) least = child
      }
      if (least === parent) return
      this.#swap(parent, least)
      parent = least
    }
  }

  #swap(one: number, other: number): void {
    const heap = this.#heap
    const kept = heap[one]!
    heap[one] = heap[other]!
    heap[other] = kept
  }
}
