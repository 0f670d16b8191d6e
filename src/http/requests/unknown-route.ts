import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MillraceError } from '../../errors.ts'
import type { Refusals } from '../operations/refusals.ts'
import type { Page } from '../page/page.ts'

/**
 * The answer for addresses and methods that are not there. Fastify answers 404 to a known path with an unknown
 * method; here it is 405 with Allow, from the methods that were registered for the path. What nobody takes may be
 * the page's.
 */
export function unknownRoutes(
  app: FastifyInstance,
  page: Pick<Page, 'mayTake' | 'answer'>,
  refusals: Pick<Refusals, 'send'>
): (request: FastifyRequest, reply: FastifyReply) => void {
  const paths = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>()
  app.addHook('onRoute', ({ url, method, schema }) => {
    if (schema?.hide === true) return
    const known = paths.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() }
    for (const name of [method].flat()) known.methods.add(name)
    paths.set(url, known)
  })
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const path = pathOf(request)
    const allowed = new Set<string>()
    for (const { pattern, methods } of paths.values()) {
      if (pattern.test(path)) for (const method of methods) allowed.add(method)
    }
    if (allowed.size > 0) return refusals.send(reply, methodNotAllowed(request, [...allowed]))
    const notFound = () => refusals.send(reply, routeNotFound(request))
    if (!page.mayTake(request)) return notFound()
    page.answer(request, reply, notFound).catch((error) => reply.send(error))
    return reply
  }
  // Below a prefix Fastify asks for a handler of its own, or the application's would answer.
  if (app.prefix !== '') app.setNotFoundHandler(answer)
  return answer
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0]!
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

export function methodNotAllowed(request: FastifyRequest, allowed: readonly string[]): MillraceError {
  const list = [...allowed].sort().join(', ')
  return new MillraceError('method_not_allowed', `This address takes ${list}, not ${request.method}.`, {
    headers: { allow: list }
  })
}

export function routeNotFound(request: FastifyRequest): MillraceError {
  return new MillraceError(
    'route_not_found',
    `There is nothing at ${request.method} ${pathOf(request)}. GET /api/v1/openapi.json lists all addresses.`
  )
}
