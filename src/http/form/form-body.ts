import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MillraceError } from '../../errors.ts'
import { type Files, fileValue, type NewFile } from '../../files/files.ts'
import { type Answer, AnsweredFile } from '../../flows/form/read-answers.ts'
import { inTurns, type Pacer } from '../../flows/in-turns.ts'
import { isPlainObject } from '../../flows/json/exact-json.ts'
import { readPayloadInTurns } from '../../flows/json/read-payload.ts'
import { objectOfPairs } from '../../flows/repeated-names.ts'
import { type BodyMemory, bodyMemory } from '../requests/body-memory.ts'
import { gatherBody } from '../requests/gather-body.ts'
import { BodyParts } from '../webhook/payload/body-parts.ts'
import { formPayload } from '../webhook/payload/form-payload.ts'
import { readMultipart } from '../webhook/payload/read-multipart.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** A form with files, before it is read: guards are asked first, and then its files are stored. */
    formStream: Readable | null
    /** Its sender has sent too much: what was written is read to be shown again, and no more. */
    formRefusal: MillraceError | null
  }
}

const MULTIPART = /^multipart\/form-data\b/i
const URLENCODED = /^application\/x-www-form-urlencoded\b/i

export type SentAnswers = Readonly<Record<string, Answer | readonly Answer[]>>

/** Whatever parsers the context has are its own routes'. */
export function readForms(scope: FastifyInstance, limit: number): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (request, sent, done) => {
    if (MULTIPART.test(typeOf(request))) {
      request.formStream = sent
      done(null)
    } else gatherBody(request, sent, limit, done)
  })
}

export interface SentForm {
  readonly answers: SentAnswers
  /** Their bytes are stored. Whoever does not start a run with them lets go of them. */
  readonly files: readonly NewFile[]
  readonly hadFiles: boolean
}

interface ReadFormDeps {
  readonly files: Pick<Files, 'keep' | 'letGo' | 'limit'>
  /** Of all that is not a file. */
  readonly bodyLimit: number
  readonly memory?: BodyMemory
}

/** What was sent. Files are stored as they come, in the name of the context that they come in by. */
export async function readSentForm(
  request: FastifyRequest,
  context: string,
  pacer: Pacer,
  { files, bodyLimit, memory = bodyMemory }: ReadFormDeps
): Promise<SentForm> {
  const { formStream, formRefusal, headers } = request
  if (formStream === null) return { answers: await answersIn(request, pacer), files: [], hadFiles: false }
  // While guards were asked its sender may have gone, of which nobody would be told any more.
  if (formStream.destroyed)
    throw new MillraceError('form_invalid', 'The form did not arrive whole. Send it again.')
  const kept: NewFile[] = []
  let hadFiles = false
  const parts = new BodyParts(formStream)
  const body = Readable.from(parts.all(), { objectMode: false })
  const reservation = { refuse: (error: Error) => parts.refuse(error) }
  try {
    const pairs = await readMultipart<AnsweredFile | null>({
      headers,
      body,
      limits: { bytes: files.limit, fieldBytes: bodyLimit },
      holds: (bytes) => memory.take(reservation, bytes),
      store: async (sent, bytes) => {
        hadFiles = true
        if (formRefusal !== null) return passOver(bytes)
        const file = await files.keep(bytes, { ...sent, context })
        kept.push(file)
        return new AnsweredFile(fileValue(file))
      }
    })
    return { answers: objectOfPairs<Answer>(pairs), files: kept, hadFiles }
  } catch (error) {
    await files.letGo(kept)
    throw error
  } finally {
    memory.give(reservation)
    // A browser that cannot send all of it does not look at the answer.
    parts.close()
  }
}

async function answersIn(request: FastifyRequest, pacer: Pacer): Promise<SentAnswers> {
  const body = request.body instanceof Uint8Array ? request.body : new Uint8Array()
  const json = URLENCODED.test(typeOf(request)) ? formPayload(body) : body
  const sent = await inTurns(readPayloadInTurns(json), pacer)
  if (isPlainObject(sent)) return sent
  throw new MillraceError(
    'payload_invalid',
    'The body is not a form. Send a JSON object of answers by the names of the fields, or a form as browsers do.'
  )
}

export function isJsonBody(request: FastifyRequest): boolean {
  return /^application\/(?:[\w.-]+\+)?json\b/i.test(typeOf(request))
}

function typeOf({ headers }: FastifyRequest): string {
  return headers['content-type'] ?? ''
}

async function passOver(bytes: AsyncIterable<Uint8Array>): Promise<null> {
  for await (const _ of bytes);
  return null
}
