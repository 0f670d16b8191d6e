import {
  type IncomingAnswer,
  megabytes,
  type OutputLimit,
  outputTooLarge,
  StepError
} from '../../plugin-api.ts'

/** How many bytes of answers a step may still read. */
export class ByteAllowance {
  readonly most: number
  #left: number
  readonly #outputLimit: OutputLimit

  /** An answer that is longer than what the step may put out is read no further: it would be parsed in vain. */
  constructor(most: number, outputLimit: OutputLimit) {
    this.most = most
    this.#left = most
    this.#outputLimit = outputLimit
  }

  /** All of the body. Stops reading with the first byte too many: what is compressed may be a thousand times as long. */
  async read(answer: IncomingAnswer, method: string): Promise<Buffer> {
    // Told before anything is read, where the answer says its length and that is what is counted.
    const announced =
      answer.headers['content-encoding'] === undefined ? answer.headers['content-length'] : undefined
    if (announced !== undefined && mayHaveBody(answer, method)) {
      const refusal = this.#refusalOf(Number(announced))
      if (refusal !== undefined) {
        await answer.discard()
        throw refusal
      }
    }
    const pieces: Uint8Array[] = []
    let length = 0
    for await (const piece of answer.body) {
      length += piece.byteLength
      const refusal = this.#refusalOf(length)
      if (refusal !== undefined) throw refusal
      pieces.push(piece)
    }
    this.#left -= length
    return pieces.length === 1 ? asBuffer(pieces[0]!) : Buffer.concat(pieces)
  }

  /** How many of them were read. */
  get spent(): number {
    return this.most - this.#left
  }

  /** Counts bytes that were read elsewhere. */
  take(length: number): void {
    const refusal = this.#refusalOf(length)
    if (refusal !== undefined) throw refusal
    this.#left -= length
  }

  /** All of it is read once more, and what was read is let go. */
  giveBack(): void {
    this.#left = this.most
  }

  #refusalOf(length: number): StepError | undefined {
    if (length > this.#left) return this.#tooLong()
    const limit = this.#outputLimit
    return length > limit.bytes ? outputTooLarge(limit, { advice: 'Ask for less at once' }) : undefined
  }

  #tooLong(): StepError {
    return new StepError(
      `The answer is longer than ${megabytes(this.most)} (max_bytes is ${this.most}). Raise "Largest response" among the node's controls, or ask for less.`,
      { code: 'response_too_large', retryable: false }
    )
  }
}

/** The headers of some answers tell of a body that they do not have. */
function mayHaveBody({ status }: IncomingAnswer, method: string): boolean {
  return method !== 'HEAD' && status !== 204 && status !== 304
}

/** The beginning of the body, for an error to show. The rest is not waited for. */
export async function readBeginning(answer: IncomingAnswer, most: number): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  try {
    for await (const piece of answer.body) {
      pieces.push(piece)
      length += piece.byteLength
      if (length >= most) break
    }
  } catch {
    // What failed is told already: that its explanation was cut off adds nothing.
  }
  return Buffer.concat(pieces).toString('utf8').slice(0, most)
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
