/** What files keep of the bytes on their way, all together. */
export class HeldBytes {
  readonly #most: number
  #held = 0

  constructor(most: number) {
    this.#most = most
  }

  get isFull(): boolean {
    return this.#held >= this.#most
  }

  keep(bytes: number): void {
    this.#held += bytes
  }

  letGo(bytes: number): void {
    this.#held -= bytes
  }
}
