import { megabytes, type OutputLimit, StepError } from '../../plugin-api.ts'

/** What an error says is short; the rest of a longer one is not read. */
export const LONGEST_ERROR = 64 * 1024
/**
 * Some providers repeat the whole text in one event at the end; models write half a megabyte. The SDK reads an event in one
 * turn, and a megabyte of brackets takes it a third of a second.
 */
const LONGEST_EVENT = 1024 ** 2
/**
 * Four characters of text come in an event of three hundred bytes. The longest answers of models, with what they think, are
 * a hundred megabytes of events, however little the step may put out.
 */
const LEAST_BOUND = 128 * 1024 ** 2
const BYTES_PER_OUTPUT = 8

/** Events end with a blank line. */
const EVENT_ENDS = ['\n\n', '\n\r\n', '\r\r']
/** So much of the end of a piece may be the beginning of one. */
const SEAM = 2

/** The bytes of an answer as they come, until it, or one event of it, is longer than any that a model gives. */
export async function* boundedAnswer(
  body: AsyncIterable<Uint8Array>,
  outputLimit: OutputLimit
): AsyncGenerator<Uint8Array, undefined> {
  const most = Math.max(LEAST_BOUND, BYTES_PER_OUTPUT * outputLimit.bytes)
  let bytes = 0
  let event = 0
  let seam: Uint8Array = Buffer.alloc(0)
  for await (const piece of body) {
    bytes += piece.length
    if (bytes > most) throw answerTooLarge(`is longer than ${megabytes(most)}`)
    const seen = Buffer.concat([seam, piece])
    const sinceEnd = seen.length - endOfEvents(seen)
    event = Math.min(event + piece.length, sinceEnd)
    if (event > LONGEST_EVENT) throw answerTooLarge(`has an event of more than ${megabytes(LONGEST_EVENT)}`)
    seam = seen.subarray(-SEAM)
    yield piece
  }
}

/** The offset after the last end of an event; far before the beginning where there is none. */
function endOfEvents(bytes: Buffer): number {
  return EVENT_ENDS.reduce((last, end) => {
    const at = bytes.lastIndexOf(end)
    return at < 0 ? last : Math.max(last, at + end.length)
  }, Number.NEGATIVE_INFINITY)
}

/** What an answer of an error says. Undefined where it is longer than errors are; that it broke off adds nothing. */
export async function readErrorBody(body: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const piece of body) {
      bytes += piece.length
      if (bytes > LONGEST_ERROR) return undefined
      pieces.push(piece)
    }
  } catch {
    // The status tells what failed.
  }
  return Buffer.concat(pieces).toString('utf8')
}

export function answerTooLarge(what: string): StepError {
  return new StepError(
    `The answer of the model ${what}, and was not read any further. Check that the address of the connection is that of a model, or choose another one.`,
    { code: 'model_answer_too_large', retryable: false }
  )
}
