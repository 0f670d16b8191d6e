import type { FastifyInstance, RouteOptions } from 'fastify'
import type { TSchema } from 'typebox'
import { Problem } from '../schemas.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A body that is described and not checked: one that may be left out, or may be anything at all; headers alike. */
    takes?: { readonly body: TSchema; readonly types?: readonly string[]; readonly headers?: TSchema }
  }
}

export const REFUSED = {
  description: 'Refused: a problem document says why and what to do',
  content: { 'application/problem+json': { schema: Problem } }
}

/**
 * Writes into the description of every route what holds for all of them, so that no route can forget it. What it
 * answers the route says itself: one that says nothing stops the start.
 */
export function describeRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const access = route.config?.access
    const response = route.schema?.response as Record<string, unknown> | undefined
    if (response === undefined) {
      throw new Error(`route ${route.method} ${route.url} does not say what it answers`)
    }
    route.schema = {
      ...route.schema,
      ...securityOf(access),
      response: access === 'public' ? response : { ...response, default: REFUSED }
    }
  })
}

function securityOf(access: NonNullable<RouteOptions['config']>['access']) {
  if (access === 'public') return { security: [] }
  // With a key or without one: the flow says which.
  if (access === 'own guard') return { security: [{ key: [] }, { bearer: [] }, { session: [] }, {}] }
  return {}
}

/** For the description only: in the schema of the route, they would be checked by it. */
export function withDescribedBody<S>({
  schema,
  url,
  route
}: {
  schema: S
  url: string
  route: RouteOptions
}) {
  const takes = route.config?.takes
  if (takes === undefined) return { schema, url }
  const { body, types = ['application/json'], headers } = takes
  return { schema: { ...schema, body, consumes: types, ...(headers === undefined ? {} : { headers }) }, url }
}
