import type { FastifyReply } from 'fastify'

/** Nobody needs what comes of it once the caller has left. */
export function whileItWaits(reply: FastifyReply): AbortSignal {
  const left = new AbortController()
  reply.raw.once('close', () => left.abort())
  return left.signal
}
