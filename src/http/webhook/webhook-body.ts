import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { messageOf } from '../../errors.ts'
import { PAYLOAD_DEPTH, writeJson } from '../../flows/json/exact-json.ts'
import { decodeBody } from '../requests/decode-body.ts'
import { gatherBody } from '../requests/gather-body.ts'
import { payloadKind } from './payload/payload-kind.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The Content-Type as it was sent; the one in the headers is set so that every body is read as bytes. */
    sentContentType: string | undefined
    /** The bytes of the body: unpacked, and as they were sent where they were packed. */
    sentBodies: readonly Uint8Array[] | null
    /** A body that may be large and is read by whoever accepts it, when all have let it pass. */
    sentStream: Readable | null
  }
}

export const NO_BODY = new Uint8Array()

/** Fastify refuses a Content-Type that it cannot read with 415; a webhook takes whatever a sender says. */
export function readAsBytes(request: FastifyRequest): void {
  const { headers } = request.raw
  request.sentContentType = headers['content-type']
  // Without a type the body goes to the parser for all types at once; any other way costs 5 µs to find it.
  headers['content-type'] = undefined
}

/** Whatever parsers the context has are its own routes': here a sender's bytes are kept as they are. */
export function readBytes(scope: FastifyInstance, limit: number, isStreamed = isLeftToStream): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (request, sent, done) => {
    // Hooks that look at the body see what it was said to be.
    if (request.sentContentType !== undefined) request.raw.headers['content-type'] = request.sentContentType
    if (isStreamed(request)) return done(null, leftToStream(request, sent))
    gatherBody(request, sent, limit, (error, body) => {
      if (error !== null) return done(error)
      const encoding = request.headers['content-encoding']
      const packed = body!
      const end = (unpacked: Uint8Array) => {
        request.sentBodies = unpacked === packed ? [packed] : [unpacked, packed]
        done(null, unpacked)
      }
      if (encoding === undefined) end(packed)
      else decodeBody(packed, encoding, limit).then(end, done)
    })
  })
}

/**
 * Files, and what may be one, go to disk as they come. A signature is of all bytes, and what is packed is unpacked in memory: such bodies are
 * gathered, and are no larger than others.
 */
function isLeftToStream({ headers, sentContentType, webhookFlow }: FastifyRequest): boolean {
  const kind = payloadKind(sentContentType)
  if (kind !== 'multipart' && kind !== 'bytes') return false
  return headers['content-encoding'] === undefined && webhookFlow?.webhook?.auth !== 'Signature'
}

function leftToStream(request: FastifyRequest, sent: Readable): Readable {
  const { raw } = request
  // Where a hook has put another stream in its place, that may not be told of a sender who has gone.
  if (sent !== raw) raw.once('close', () => raw.complete || sent.destroy())
  request.sentStream = sent
  return sent
}

/** The payload as it is stored: the bytes that were sent, or what a hook put in their place. */
export function inputFrom(body: unknown): Uint8Array {
  if (body === undefined) return NO_BODY
  if (body instanceof Uint8Array) return body
  try {
    return Buffer.from(writeJson(body, undefined, PAYLOAD_DEPTH))
  } catch (error) {
    const message = `A hook replaced the body of a webhook by what cannot be written as JSON: ${messageOf(error)}`
    throw new Error(message, { cause: error })
  }
}
