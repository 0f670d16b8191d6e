import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const ACCEPTED = /\bgzip\b(?!\s*;\s*q=0(?:\.0+)?\s*(?:,|$))/i
/** Below one packet there is nothing to win. */
const SMALLEST = 1400

/**
 * As `onSend` of a route whose answer is long, is the same for everybody and is waited for: the catalogue is a third of
 * its size then. Others are not compressed, as that would cost each of them more time than it saves near the service.
 */
export async function gzipAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown
): Promise<unknown> {
  reply.header('vary', 'accept-encoding')
  const isAccepted = ACCEPTED.test(String(request.headers['accept-encoding'] ?? ''))
  if (!isAccepted || typeof payload !== 'string' || payload.length < SMALLEST) return payload
  reply.header('content-encoding', 'gzip').removeHeader('content-length')
  return promisify(gzip)(payload)
}
