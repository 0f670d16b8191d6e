import type { FastifyInstance } from 'fastify'
import { MillraceError } from '../../errors.ts'
import type { Refusals } from './refusals.ts'

/** What a worker is asked for: whether it lives, and what it has done. */
const OPEN = new Set(['/livez', '/readyz', '/metrics', '/api/v1/version'])

/** A worker runs flows. Whatever else is asked of it is for a web process. */
export function limitToWorkerRoutes(root: FastifyInstance, refusals: Refusals): void {
  root.addHook('onRequest', (request, reply, done) => {
    if (OPEN.has(request.url.split('?', 1)[0]!)) return done()
    const message = `This process is a worker: it runs flows and answers ${[...OPEN].join(', ')}. Ask a process with MILLRACE_ROLE=web.`
    refusals.send(reply, new MillraceError('route_not_found', message))
  })
}
