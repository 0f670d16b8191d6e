import type { FastifyInstance, RouteOptions } from 'fastify'
import { Problem } from './schemas.ts'

const REFUSED = {
  description: 'Refused: a problem document says why and what to do',
  content: { 'application/problem+json': { schema: Problem } }
}

/** Writes into the description of every route what holds for all of them, so that no route can forget it. */
export function describeRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const access = route.config?.access
    const response = (route.schema?.response ?? { '2xx': { description: 'Done' } }) as Record<string, unknown>
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
  if (access === 'own guard') return { security: [{ key: [] }, { session: [] }, {}] }
  return {}
}
