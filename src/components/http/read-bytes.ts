import { type IncomingAnswer, megabytes, StepError } from '../../plugin-api.ts'

/** How many bytes of answers a step may still read. */
export class ByteAllowance {
  readonly most: number
  #left: number

  constructor(most: number) {
    this.most = most
    this.#left = most
  }

  /** All of the body. Stops reading with the first byte too many: what is compressed may be a thousand times as long. */
  async read(answer: IncomingAnswer, method: string): Promise<Buffer> {
    // Told before anything is read, where the answer says its length and that is what is counted.
    const announced =
      answer.headers['content-encoding'] === undefined ? answer.headers['content-length'] : undefined
    if (announced !== undefined && Number(announced) > this.#left && mayHaveBody(answer, method)) {
      await answer.discard()
      throw this.#tooLong()
    }
    const pieces: Uint8Array[] = []
    for await (const piece of answer.body) {
      this.#left -= piece.byteLength
      if (this.#left < 0) throw this.#tooLong()
      pieces.push(piece)
    }
    return pieces.length === 1 ? asBuffer(pieces[0]!) : Buffer.concat(pieces)
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
