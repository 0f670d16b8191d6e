import { megabytes, type OutputLimit, outputTooLarge } from '../../plugin-api.ts'

/** How messages of a protocol begin. */
export interface Framing {
  readonly headerBytes: number
  /** How many bytes come after the header that is there. Throws where no message begins so. */
  readonly bodyBytes: (bytes: Uint8Array, at: number) => number
  /** Of a body that the next message goes on with. */
  readonly longestBody: number
}

/** A letter, then a length of four bytes that counts itself. */
export const POSTGRES_FRAMING: Framing = {
  headerBytes: 5,
  bodyBytes: (bytes, at) => {
    const length =
      bytes[at + 1]! * 2 ** 24 + ((bytes[at + 2]! << 16) | (bytes[at + 3]! << 8) | bytes[at + 4]!)
    if (length < 4) throw new Error(`a message with a length of ${length}`)
    return length - 4
  },
  longestBody: Number.POSITIVE_INFINITY
}

/** A length of three bytes, lowest first, then a number. */
export const MYSQL_FRAMING: Framing = {
  headerBytes: 4,
  bodyBytes: (bytes, at) => bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16),
  longestBody: 0xffffff
}

/** All that a server says before it is asked anything: servers take a few hundred bytes for it. */
const BEFORE_USE = 64 * 1024
/** What a step may put out may be small, and whatever a server says besides rows is not counted there. */
const LEAST = 1024 ** 2
/** PostgreSQL writes bytes by two characters each, which are fewer in an output. */
const WRITTEN_OUT = 2

/**
 * Measures the messages of a server as they come, before the driver does: it keeps all of a message until it is whole, and
 * the server says how long it is.
 */
export class MessageBounds {
  readonly #framing: Framing
  readonly #header: Uint8Array
  #headerHas = 0
  /** Bytes of the message's body that are still to come. */
  #toCome = 0
  /** Bytes of the message, as far as they are announced. */
  #announced = 0
  #seen = 0
  #output: OutputLimit | undefined
  #most = LEAST

  constructor(framing: Framing) {
    this.#framing = framing
    this.#header = new Uint8Array(framing.headerBytes)
  }

  /** From now on it answers a step that may put out so much. */
  allow(output: OutputLimit): void {
    this.#output = output
    this.#most = Math.max(LEAST, WRITTEN_OUT * output.bytes)
  }

  /** What has come; throws at the header of a message that is too long. */
  readonly look = (chunk: Uint8Array): void => {
    this.#seen += chunk.length
    if (this.#output === undefined && this.#seen > BEFORE_USE)
      throw new Error(`more than ${megabytes(BEFORE_USE)} before it was asked anything`)
    for (let at = 0; at < chunk.length; ) at = this.#take(chunk, at)
  }

  /** A body, or a header, as far as it is there. Returns the place after it. */
  #take(chunk: Uint8Array, at: number): number {
    const there = chunk.length - at
    if (this.#toCome > 0) {
      const taken = Math.min(this.#toCome, there)
      this.#toCome -= taken
      return at + taken
    }
    const { headerBytes } = this.#framing
    if (this.#headerHas === 0 && there >= headerBytes) {
      this.#announce(chunk, at)
      return at + headerBytes
    }
    this.#header[this.#headerHas++] = chunk[at]!
    if (this.#headerHas === headerBytes) {
      this.#headerHas = 0
      this.#announce(this.#header, 0)
    }
    return at + 1
  }

  #announce(bytes: Uint8Array, at: number): void {
    const { bodyBytes, longestBody } = this.#framing
    this.#toCome = bodyBytes(bytes, at)
    this.#announced += this.#toCome
    if (this.#announced > this.#most) throw this.#tooLong()
    if (this.#toCome < longestBody) this.#announced = 0
  }

  #tooLong(): Error {
    if (this.#output === undefined) return new Error(`a message of ${megabytes(this.#announced)}`)
    return outputTooLarge(this.#output, { advice: 'Select fewer rows or columns (LIMIT, WHERE)' })
  }
}
