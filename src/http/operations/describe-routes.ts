import type { FastifyInstance, RouteOptions } from 'fastify'
import type { TSchema } from 'typebox'
import type { ProblemCode } from '../../errors.ts'
import { describedSchema } from './described-schema.ts'
import { markNamed } from './named-schemas.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What is described and not checked by the schema of the route: a body that may be anything at all; headers alike. */
    takes?: {
      readonly body?: TSchema
      readonly types?: readonly string[]
      readonly headers?: TSchema
      /** The body may be left out. */
      readonly isOptional?: boolean
    }
  }
  interface FastifySchema {
    /** Why this route refuses requests, besides what holds for all of its kind; see refused-answers.ts. */
    refuses?: readonly ProblemCode[]
  }
}

/**
 * Writes into the description of every route what holds for all of them, so that no route can forget it. What it
 * answers the route says itself: one that says nothing stops the start.
 */
export function describeRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const response = route.schema?.response
    if (response === undefined) {
      throw new Error(`route ${route.method} ${route.url} does not say what it answers`)
    }
    route.schema = { ...route.schema, ...securityOf(route.config?.access) }
  })
}

function securityOf(access: NonNullable<RouteOptions['config']>['access']) {
  if (access === 'public') return { security: [] }
  // With a key or without one: the flow says which.
  if (access === 'own guard') return { security: [{ key: [] }, { bearer: [] }, { session: [] }, {}] }
  return {}
}

/** For the description only: in the schema of the route, they would be checked by it. */
export function asDescribed<S>({ schema, url, route }: { schema: S; url: string; route: RouteOptions }) {
  const { types = ['application/json'], headers } = route.config?.takes ?? {}
  const body = bodyOf(route)
  const taken = {
    ...schema,
    ...(body === undefined ? {} : { body, consumes: types }),
    ...(headers === undefined ? {} : { headers })
  }
  return { schema: markNamed(describedSchema(taken)) as S, url }
}

/** What the route takes as a body, as it is described. */
export function bodyOf({ config, schema }: RouteOptions): unknown {
  const body = config?.takes?.body ?? schema?.body
  return body === undefined ? undefined : markNamed(describedSchema(body))
}
