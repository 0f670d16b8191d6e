import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { MillraceError } from '../../../errors.ts'
import type { Files, NewFile } from '../../../files/files.ts'
import type { Pacer } from '../../../flows/in-turns.ts'
import { type BodyMemory, bodyMemory } from '../../requests/body-memory.ts'
import { GatheredBody } from '../../requests/gather-body.ts'
import { BodyParts } from './body-parts.ts'
import { filenameOf } from './payload-kind.ts'
import { readMultipart } from './read-multipart.ts'
import {
  filePayload,
  isJson,
  mayBeJson,
  pairsPayload,
  plainPayload,
  type SentPayload
} from './sent-payload.ts'

interface StreamReading {
  readonly kind: 'multipart' | 'bytes'
  readonly headers: IncomingHttpHeaders
  readonly body: Readable
  readonly files: Pick<Files, 'keep' | 'letGo' | 'limit'>
  /** The context that files come in by. */
  readonly context: string
  /** Of what is not a file. */
  readonly bodyLimit: number
  readonly pace: Pacer
  readonly memory?: BodyMemory
}

/**
 * A body that may be large, as it comes: files are on disk when this resolves, and were never in memory whole. Where it rejects, nothing is
 * left of them.
 */
export async function readStream(reading: StreamReading): Promise<SentPayload> {
  const most = largestBody(reading)
  if (Number(reading.headers['content-length']) > most) throw tooLarge(most)
  const parts = new BodyParts(reading.body)
  try {
    const first = await parts.next()
    if (first === undefined) return plainPayload(EMPTY)
    if (!mayBeJson(first)) return await readParts(parts, parts.from(first), reading)
    return await readJsonOr(parts, first, reading)
  } finally {
    parts.close()
  }
}

const EMPTY = new Uint8Array()

function largestBody({ files, bodyLimit }: StreamReading): number {
  return Math.max(files.limit, bodyLimit)
}

function tooLarge(most: number): MillraceError {
  return new MillraceError(
    'body_too_large',
    `The body is larger than ${most} bytes. Send less. MILLRACE_FILE_LIMIT sets how large a body with files may be.`
  )
}

/** JSON is the value, whatever its type says. It is gathered for as long as it may be that, and no longer than other bodies. */
async function readJsonOr(parts: BodyParts, first: Buffer, reading: StreamReading): Promise<SentPayload> {
  const { bodyLimit, pace, memory = bodyMemory } = reading
  const gathered = new GatheredBody()
  const reservation = { refuse: (error: Error) => parts.refuse(error) }
  try {
    for (let part: Buffer | undefined = first; part !== undefined; part = await parts.next()) {
      gathered.add(part)
      if (gathered.length > bodyLimit) return await readParts(parts, parts.from(gathered.take()), reading)
      memory.take(reservation, gathered.size)
    }
  } finally {
    memory.give(reservation)
  }
  const body = gathered.take()
  return (await isJson(body, pace)) ? plainPayload(body) : readParts(parts, oneByOne([body]), reading)
}

async function* oneByOne(parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* parts
}

function readParts(
  parts: BodyParts,
  bytes: AsyncGenerator<Buffer>,
  reading: StreamReading
): Promise<SentPayload> {
  return reading.kind === 'multipart' ? readForm(parts, bytes, reading) : readBytes(bytes, reading)
}

async function readBytes(parts: AsyncGenerator<Buffer>, reading: StreamReading): Promise<SentPayload> {
  const { headers, files, context } = reading
  const contentType = headers['content-type'] ?? ''
  const filename = filenameOf(headers['content-disposition'], contentType)
  return filePayload(await files.keep(parts, { filename, contentType, context }))
}

async function readForm(
  parts: BodyParts,
  bytes: AsyncGenerator<Buffer>,
  reading: StreamReading
): Promise<SentPayload> {
  const { headers, files, context, bodyLimit, memory = bodyMemory } = reading
  const kept: NewFile[] = []
  const body = Readable.from(bytes, { objectMode: false })
  // To destroy the body would wait for whatever its sender says next.
  const reservation = { refuse: (error: Error) => parts.refuse(error) }
  try {
    const pairs = await readMultipart<NewFile>({
      headers,
      body,
      limits: { bytes: largestBody(reading), fieldBytes: bodyLimit },
      holds: (bytes) => memory.take(reservation, bytes),
      store: async (sent, bytes) => {
        const file = await files.keep(bytes, { ...sent, context })
        kept.push(file)
        return file
      }
    })
    return pairsPayload(pairs)
  } catch (error) {
    await files.letGo(kept)
    throw error
  } finally {
    memory.give(reservation)
  }
}
