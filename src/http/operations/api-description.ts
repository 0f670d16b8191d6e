import type { SwaggerTransform } from '@fastify/swagger'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { type ApiDocument, completeDescription } from './complete-description.ts'
import { asDescribed } from './describe-routes.ts'
import { type ApiFacts, openApi } from './openapi.ts'

export type DescribeApi = () => Promise<unknown>

/**
 * The description of the routes that are added from here on. What writes it is loaded when somebody asks: at the start
 * it would have to be registered before the routes, and takes 30 ms and 2 MB.
 */
export function describedApi(app: FastifyInstance, facts: ApiFacts): DescribeApi {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') routes.push(route)
  })
  let description: Promise<unknown> | undefined
  return () => {
    description ??= describe(routes, openApi(facts))
    return description
  }
}

/** The routes are described on a server that nobody can reach. */
async function describe(
  routes: readonly RouteOptions[],
  openapi: ReturnType<typeof openApi>
): Promise<unknown> {
  const [{ default: swagger }, { default: Fastify }] = await Promise.all([
    import('@fastify/swagger'),
    import('fastify')
  ])
  const app = Fastify({ exposeHeadRoutes: false })
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => () => '')
  await app.register(swagger, { openapi, transform: asDescribed as SwaggerTransform })
  for (const { method, url, schema = {}, config = {} } of routes) {
    app.route({ method, url, schema, config, handler: () => {} })
  }
  await app.ready()
  return completeDescription(app.swagger() as unknown as ApiDocument, routes)
}
