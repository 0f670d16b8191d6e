import type { FastifyInstance } from 'fastify'
import { messageOf } from '../errors.ts'
import type { Metrics } from './metrics.ts'

export interface OperationsDeps {
  readonly metrics: Metrics
  readonly version: string
  readonly storeKind: string
  /** Resolves when the store can be written. */
  readonly probe: () => Promise<void>
  readonly isStopping: () => boolean
}

const tags = ['Operations']

/** Health, metrics, version and the API's own description. */
export function operationRoutes(app: FastifyInstance, deps: OperationsDeps): void {
  app.get(
    '/livez',
    { config: { access: 'public' }, schema: { tags, summary: 'The process answers' } },
    async () => ({ status: 'ok' })
  )

  app.get(
    '/readyz',
    {
      config: { access: 'public' },
      schema: { tags, summary: 'Requests are accepted: the store can be written' }
    },
    async (_request, reply) => {
      const problem = deps.isStopping()
        ? 'Millrace is stopping.'
        : await deps.probe().then(() => null, messageOf)
      if (problem === null) return { status: 'ok', checks: { store: 'writable' } }
      return reply.code(503).header('retry-after', '5').send({ status: 'unavailable', detail: problem })
    }
  )

  app.get(
    '/metrics',
    { config: { access: 'read' }, schema: { tags, summary: 'Metrics for Prometheus' } },
    async (_request, reply) =>
      reply.header('content-type', deps.metrics.contentType).send(await deps.metrics.text())
  )

  app.get(
    '/api/v1/version',
    { config: { access: 'read' }, schema: { tags, summary: 'Version of Millrace and its store' } },
    async () => ({
      name: 'millrace',
      version: deps.version,
      store: deps.storeKind,
      node: process.versions.node
    })
  )

  app.get(
    '/api/v1/openapi.json',
    { config: { access: 'read' }, schema: { tags, summary: 'This API, as OpenAPI 3.1' } },
    async () => app.swagger()
  )
}
