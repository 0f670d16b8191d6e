import { megabytes, type OutputLimit, outputTooLarge } from '../../plugin-api.ts'

/** How messages of a protocol begin. */
export interface Framing {
  readonly headerBytes: number
  /** How many bytes come after the header. Throws where no message begins so. */
  readonly bodyBytes: (header: Uint8Array) => number
  /** Whether the next one goes on with it. */
  readonly goesOn: (header: Uint8Array) => boolean
}

/** A letter, then a length of four bytes that counts itself. */
export const POSTGRES_FRAMING: Framing = {
  headerBytes: 5,
  bodyBytes: ([, a = 0, b = 0, c = 0, d = 0]) => {
    const length = a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d
    if (length < 4) throw new Error(`a message with a length of ${length}`)
    return length - 4
  },
  goesOn: () => false
}

const LONGEST_PACKET = 0xffffff

/** A length of three bytes, lowest first, then a number. */
export const MYSQL_FRAMING: Framing = {
  headerBytes: 4,
  bodyBytes: packetLength,
  goesOn: (header) => packetLength(header) === LONGEST_PACKET
}

function packetLength([a = 0, b = 0, c = 0]: Uint8Array): number {
  return a + b * 2 ** 8 + c * 2 ** 16
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
    for (let at = 0; at < chunk.length; ) {
      const skipped = Math.min(this.#toCome, chunk.length - at)
      this.#toCome -= skipped
      at += skipped
      if (at < chunk.length) this.#takeHeader(chunk[at++]!)
    }
  }

  #takeHeader(byte: number): void {
    const header = this.#header
    header[this.#headerHas++] = byte
    if (this.#headerHas < header.length) return
    this.#headerHas = 0
    this.#toCome = this.#framing.bodyBytes(header)
    this.#announced += this.#toCome
    if (this.#announced > this.#most) throw this.#tooLong()
    if (!this.#framing.goesOn(header)) this.#announced = 0
  }

  #tooLong(): Error {
    if (this.#output === undefined) return new Error(`a message of ${megabytes(this.#announced)}`)
    return outputTooLarge(this.#output, { advice: 'Select fewer rows or columns (LIMIT, WHERE)' })
  }
}
