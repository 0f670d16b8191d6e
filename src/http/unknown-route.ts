import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MillraceError } from '../errors.ts'
import { sendProblem } from './problem.ts'

/**
 * Answers for addresses and methods that are not there. Fastify answers 404 to a known path with an unknown
 * method; here it is 405 with Allow, from the methods that were registered for the path.
 */
export function answerUnknownRoutes(app: FastifyInstance): void {
  const paths = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method }) => {
    const known = paths.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() }
    for (const name of [method].flat()) known.methods.add(name)
    paths.set(url, known)
  })
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0]!
    const allowed = new Set<string>()
    for (const { pattern, methods } of paths.values()) {
      if (pattern.test(path)) for (const method of methods) allowed.add(method)
    }
    return sendProblem(
      reply,
      allowed.size > 0 ? methodNotAllowed(request, [...allowed]) : notFound(request, path)
    )
  }
  // Below a prefix Fastify asks for a handler of its own, or the application's would answer.
  if (app.prefix !== '') app.setNotFoundHandler(answer)
  // Before the body is read: what is wrong with it does not matter where nobody takes it.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) answer(request, reply)
    else done()
  })
}

function patternOf(url: string): RegExp {
  const source = url
    .split('/')
    .map((segment) =>
      segment.startsWith(':')
        ? '[^/]+'
        : segment === '*'
          ? '.*'
          : segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    )
    .join('/')
  return new RegExp(`^${source}$`)
}

function methodNotAllowed(request: FastifyRequest, allowed: readonly string[]): MillraceError {
  const list = [...allowed].sort().join(', ')
  return new MillraceError('method_not_allowed', `This address takes ${list}, not ${request.method}.`, {
    headers: { allow: list }
  })
}

function notFound(request: FastifyRequest, path: string): MillraceError {
  return new MillraceError(
    'route_not_found',
    `There is nothing at ${request.method} ${path}. GET /api/v1/openapi.json lists all addresses.`
  )
}
