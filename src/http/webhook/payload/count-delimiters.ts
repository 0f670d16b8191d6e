/** Far more than any sender writes: the parser drops what is beyond. */
const LONGEST_HEADERS = 16_384

/**
 * Counts the delimiters of a multipart body as it passes, and the bytes of the headers behind each. A parser drops parts that it cannot read and
 * headers that are too long, and says nothing: only by these numbers it is known whether all came out of it.
 */
export class DelimiterCount {
  readonly #delimiter: Buffer
  /** The end of what has passed, as long as a delimiter less one byte: the next part may end one that began here. */
  #rest: Buffer = Buffer.from('\r\n')
  #count = 0
  /** Those of a part that has begun, before what is seen again with the rest; undefined in what follows its headers. */
  #headerBytes: number | undefined
  #hasLongHeaders = false

  constructor(boundary: string) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  }

  /** With that which ends the body. */
  get count(): number {
    return this.#count
  }

  get hasLongHeaders(): boolean {
    return this.#hasLongHeaders
  }

  add(part: Uint8Array): void {
    const text = Buffer.concat([this.#rest, part])
    const { length } = this.#delimiter
    let at = text.indexOf(this.#delimiter)
    let after = 0
    while (at >= 0) {
      this.#measure(text.subarray(after, at))
      this.#count += 1
      this.#headerBytes = 0
      after = at + length
      at = text.indexOf(this.#delimiter, after)
    }
    this.#measure(text.subarray(after))
    const rest = Math.max(after, text.length - length + 1)
    if (this.#headerBytes !== undefined) this.#headerBytes += rest - after
    this.#rest = text.subarray(rest)
  }

  /** The delimiter is longer than an empty line, so none is cut in two. */
  #measure(text: Buffer): void {
    if (this.#headerBytes === undefined) return
    const end = text.indexOf('\r\n\r\n')
    if (this.#headerBytes + (end < 0 ? text.length : end) > LONGEST_HEADERS) this.#hasLongHeaders = true
    if (end >= 0) this.#headerBytes = undefined
  }
}
