import type { FastifyRequest } from 'fastify'

/** Whether the caller asks for its answer as server-sent events. */
export function wantsEvents({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return /(?:^|[\s,])text\/event-stream\s*(?:[;,]|$)/i.test(headers.accept ?? '')
}
