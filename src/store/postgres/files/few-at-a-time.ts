/** Works off what it is given in the order in which it comes, so many at a time. */
export class FewAtATime {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(most: number) {
    this.#free = most
  }

  async do<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}
