import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MillraceError } from '../../errors.ts'
import type { Answer } from '../../flows/form/read-answers.ts'
import { inTurns, type Pacer } from '../../flows/in-turns.ts'
import { isPlainObject } from '../../flows/json/exact-json.ts'
import { readPayloadInTurns } from '../../flows/json/read-payload.ts'
import { objectOfPairs } from '../../flows/repeated-names.ts'
import { gatherBody } from '../requests/gather-body.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** A form with files, before it is read: guards are asked first, and then its files are stored. */
    formStream: Readable | null
  }
}

/** As many as a form may well have; each costs time of its own. */
const MOST_NAMES = 1_000

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

/** The answers in a body that has no files. */
export async function answersIn(request: FastifyRequest, pacer: Pacer): Promise<SentAnswers> {
  const body = request.body instanceof Uint8Array ? request.body : new Uint8Array()
  if (URLENCODED.test(typeOf(request))) return pairsIn(Buffer.from(body).toString())
  const sent = await inTurns(readPayloadInTurns(body), pacer)
  if (isPlainObject(sent)) return sent
  throw new MillraceError(
    'payload_invalid',
    'The body is not a form. Send a JSON object of answers by the names of the fields, or a form as browsers do.'
  )
}

function pairsIn(text: string): SentAnswers {
  if (text.split('&', MOST_NAMES + 1).length > MOST_NAMES)
    throw new MillraceError('body_too_large', `The form has more than ${MOST_NAMES} answers. Send fewer.`)
  return objectOfPairs<Answer>(new URLSearchParams(text))
}

export function isJsonBody(request: FastifyRequest): boolean {
  return /^application\/(?:[\w.-]+\+)?json\b/i.test(typeOf(request))
}

function typeOf({ headers }: FastifyRequest): string {
  return headers['content-type'] ?? ''
}
