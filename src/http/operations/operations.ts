import type { FastifyInstance } from 'fastify'
import { MillraceError, messageOf } from '../../errors.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import type { Store } from '../../store/store.ts'
import { assertUnbound } from '../access/access.ts'
import { textOf } from '../schemas.ts'
import type { DescribeApi } from './api-description.ts'
import type { Metrics } from './metrics.ts'

interface OperationsDeps {
  readonly metrics: Metrics
  readonly version: string
  readonly describeApi: DescribeApi
  readonly store: Pick<Store, 'kind' | 'probe'>
  readonly isStopping: () => boolean
  /** Runs wait, and none is taken up although it could be. */
  readonly standsStill: () => boolean
}

const tags = ['Operations']
const Ok = Type.Literal('ok')
const Version = Type.Object({
  name: Type.Literal('millrace'),
  version: Type.String(),
  store: Type.String(),
  node: Type.String()
})

/** Health, metrics, version and the API's own description. */
export function operationRoutes(app: FastifyInstance, deps: OperationsDeps): void {
  app.get(
    '/livez',
    {
      config: { access: 'public' },
      schema: {
        tags,
        operationId: 'readLiveness',
        summary: 'The process answers',
        response: { 200: Type.Object({ status: Ok }) }
      }
    },
    async () => ({ status: 'ok' })
  )

  app.get(
    '/readyz',
    {
      config: { access: 'public' },
      schema: {
        tags,
        operationId: 'readReadiness',
        summary: 'Requests are accepted: the store can be written, and runs that wait are taken up',
        refuses: ['store_unwritable', 'queue_stuck', 'stopping'],
        response: {
          200: Type.Object({ status: Ok, checks: Type.Object({ store: Type.Literal('writable') }) })
        }
      }
    },
    async () => {
      await assertReady(deps)
      return { status: 'ok', checks: { store: 'writable' } }
    }
  )

  app.get(
    '/metrics',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'readMetrics',
        summary: 'Metrics for Prometheus',
        refuses: ['forbidden'],
        description: 'They tell of all flows: a key that is bound to a flow or a context is refused.',
        response: { 200: textOf('text/plain', "Prometheus' text format") }
      }
    },
    async (request, reply) => {
      assertUnbound(request)
      return reply.header('content-type', deps.metrics.contentType).send(await deps.metrics.text())
    }
  )

  app.get(
    '/api/v1/version',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'readServiceVersion',
        summary: 'Version of Millrace and its store',
        response: { 200: Version }
      }
    },
    async () => ({
      name: 'millrace',
      version: deps.version,
      store: deps.store.kind,
      node: process.versions.node
    })
  )

  app.get(
    '/api/v1/openapi.json',
    {
      config: { access: 'read' },
      schema: {
        tags,
        operationId: 'readApiDescription',
        summary: 'This API, as OpenAPI 3.1',
        response: { 200: Type.Record(Type.String(), Type.Unknown()) }
      }
    },
    () => deps.describeApi()
  )
}

const STUCK =
  'Runs wait, and none has been taken up for 10 seconds although there is room: somebody holds locks in the database, or it does not answer. Look for transactions that stay open (pg_stat_activity). Millrace goes on by itself as soon as they end.'

async function assertReady({ isStopping, store, standsStill }: OperationsDeps): Promise<void> {
  if (isStopping()) throw new MillraceError('stopping', 'Millrace is stopping. Ask again in a moment.')
  await store.probe().catch((error) => {
    throw error instanceof MillraceError ? error : new MillraceError('store_unwritable', messageOf(error))
  })
  if (standsStill()) throw new MillraceError('queue_stuck', STUCK)
}
