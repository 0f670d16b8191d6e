/**
 * Counts the delimiters of a multipart body as it passes. A parser drops parts that it cannot read, and says nothing: only by this
 * number it is known whether all of them came out of it.
 */
export class DelimiterCount {
  readonly #delimiter: Buffer
  /** The end of what has passed, as long as a delimiter less one byte: the next part may end one that began here. */
  #rest: Buffer = Buffer.from('\r\n')
  #count = 0

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  }

  /** With that which ends the body. */
  get count(): number {
    return this.#count
  }

  add(part: Uint8Array): void {
    const text = Buffer.concat([this.#rest, part])
    const { length } = this.#delimiter
    let at = text.indexOf(this.#delimiter)
    let after = 0
    while (at >= 0) {
      this.#count += 1
      after = at + length
      at = text.indexOf(this.#delimiter, after)
    }
    this.#rest = text.subarray(Math.max(after, text.length - length + 1))
  }
}
