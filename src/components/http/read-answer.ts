import { type IncomingAnswer, inTurns, type JsonValue, type Step } from '../../plugin-api.ts'
import { filenameOf } from './answer-filename.ts'
import { isBinary, parseBody, type ResponseType } from './parse-body.ts'
import type { ByteAllowance } from './read-bytes.ts'

interface Reading {
  readonly method: string
  readonly as: ResponseType
  readonly allowance: ByteAllowance
  readonly step: Pick<Step, 'files' | 'pause'>
}

/** Bytes that are no text stand in the output up to here; more of them are a file. */
const MOST_INLINE = 64 * 1024

/** The body, as the output has it. What becomes a file is stored as it comes, and is never in memory whole. */
export async function readAnswer(answer: IncomingAnswer, reading: Reading): Promise<JsonValue> {
  const { method, as, allowance, step } = reading
  const { status, headers } = answer
  const contentType = headers['content-type']
  const store = async (content: Uint8Array | AsyncIterable<Uint8Array>) => {
    const filename = filenameOf(headers['content-disposition'], answer.url)
    return { ...(await step.files.create(content, { filename, contentType: contentType ?? '' })) }
  }
  const parsed = (bytes: Buffer) => inTurns(parseBody({ bytes, contentType, as, status }), step)
  if (!isBinary(contentType, as)) {
    const bytes = await allowance.read(answer, method)
    const isFile = bytes.byteLength > MOST_INLINE && isBinary(contentType, as, bytes)
    return isFile ? store(bytes) : parsed(bytes)
  }
  const { beginning, rest } = await readBeginning(answer.body)
  if (rest !== undefined) return store(rest)
  allowance.take(beginning.byteLength)
  return parsed(beginning)
}

interface Begun {
  readonly beginning: Buffer
  /** All of it, from the beginning on, where there is more than fits. */
  readonly rest?: AsyncIterable<Uint8Array>
}

async function readBeginning(body: AsyncIterable<Uint8Array>): Promise<Begun> {
  const pieces: Uint8Array[] = []
  const reading = body[Symbol.asyncIterator]()
  for (let size = 0; size <= MOST_INLINE; ) {
    const next = await reading.next()
    if (next.done === true) return { beginning: Buffer.concat(pieces) }
    pieces.push(next.value)
    size += next.value.byteLength
  }
  const beginning = Buffer.concat(pieces)
  return { beginning, rest: goingOn(beginning, reading) }
}

async function* goingOn(
  beginning: Uint8Array,
  reading: AsyncIterator<Uint8Array>
): AsyncGenerator<Uint8Array> {
  try {
    yield beginning
    for (let next = await reading.next(); next.done !== true; next = await reading.next()) yield next.value
  } finally {
    await reading.return?.()
  }
}
