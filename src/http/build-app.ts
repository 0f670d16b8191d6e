import swagger from '@fastify/swagger'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Clock } from '../clock.ts'
import type { ContextTree } from '../contexts/context-tree.ts'
import { MillraceError } from '../errors.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { FlowLibrary } from '../library/flow-library.ts'
import type { Runs } from '../runs/runs.ts'
import type { Store } from '../store/store.ts'
import { guardRoutes } from './access.ts'
import { componentRoutes } from './components.ts'
import { describeRoutes } from './describe-routes.ts'
import { eventRoutes } from './events.ts'
import { readJson } from './exact-body.ts'
import { flowRoutes } from './flows.ts'
import { keyRoutes } from './keys.ts'
import type { Metrics } from './metrics.ts'
import { operationRoutes } from './operations.ts'
import { playgroundRoutes } from './playground.ts'
import { asMillraceError, sendProblem } from './problem.ts'
import { runRoutes } from './runs.ts'
import { answerUnknownRoutes } from './unknown-route.ts'
import { answerUnreadable } from './unreadable-request.ts'
import { webhookRoutes } from './webhook.ts'

export interface AppDeps {
  readonly store: Store
  readonly library: FlowLibrary
  readonly runs: Runs
  readonly keys: KeyRing
  readonly tree: ContextTree
  readonly metrics: Metrics
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly version: string
  readonly bodyLimit: number
  readonly isStopping: () => boolean
}

/** Where the service is mounted; requests and answers name addresses below it. */
const PREFIX = ''

/** The HTTP side of Millrace: every room of the API in one Fastify application. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: deps.log,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger per request costs a twentieth of an accepted webhook, and nothing here logs per request.
    childLoggerFactory: (logger) => logger,
    bodyLimit: Math.max(deps.bodyLimit, 10 * 1024 * 1024),
    requestTimeout: 120_000,
    forceCloseConnections: 'idle',
    // What arrives while the service stops is refused where it would start something, with a problem document.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (error, _request, reply) => sendProblem(reply, asMillraceError(error)!),
    clientErrorHandler: answerUnreadable
  })
  validateWithTypeBox(app)
  answerErrors(app)
  answerUnknownRoutes(app)
  readJson(app)
  describeRoutes(app)
  await app.register(swagger, { openapi: openApi(deps.version) })
  guardRoutes(app, deps.keys)
  await app.register(async (scope) => {
    const { library, runs, keys, clock, bodyLimit, metrics } = deps
    webhookRoutes(scope, {
      library,
      runs,
      keys,
      clock,
      bodyLimit,
      prefix: PREFIX,
      onAccepted: metrics.accepted
    })
  })
  apiRoutes(app, deps)
  return app
}

function apiRoutes(app: FastifyInstance, deps: AppDeps): void {
  const { library, runs, keys, store, tree, clock } = deps
  flowRoutes(app, { library })
  runRoutes(app, { runs, library, prefix: PREFIX })
  playgroundRoutes(app, { library, runs, messages: store.messages, runStore: store.runs, prefix: PREFIX })
  eventRoutes(app, { library, runs, store: store.runs, clock })
  componentRoutes(app, { tree })
  keyRoutes(app, { keys, library, now: clock.now })
  operationRoutes(app, {
    metrics: deps.metrics,
    version: deps.version,
    storeKind: store.kind,
    probe: () => store.probe(),
    isStopping: deps.isStopping
  })
}

/**
 * The schemas that document the API also check it. Query and path are text, so they are converted first; a body
 * is taken as it is. Answers are written as they are: what leaves was made by us.
 */
function validateWithTypeBox(app: FastifyInstance): void {
  app.setValidatorCompiler<TSchema>(({ schema, httpPart }) => {
    // Nothing in a path can be other than text, and the webhook's path is checked ten thousand times a second.
    if (httpPart === 'params' && hasOnlyText(schema)) return (sent) => ({ value: sent })
    return (sent) => {
      const value = httpPart === 'body' ? sent : Value.Convert(schema, sent)
      if (Value.Check(schema, value)) return { value }
      const validation = [...Value.Errors(schema, value)]
      return { error: Object.assign(new Error('validation'), { validation, sent: value }) }
    }
  })
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer))
}

function hasOnlyText(schema: TSchema): boolean {
  const { properties = {} } = schema as { properties?: Record<string, Record<string, unknown>> }
  return Object.values(properties).every((property) => property.type === 'string' && !('pattern' in property))
}

function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const known = asMillraceError(error)
    if (known !== undefined) return sendProblem(reply, known)
    request.log.error(
      { err: error, method: request.method, url: request.routeOptions.url },
      'a request failed'
    )
    const message =
      'Something went wrong inside Millrace. Its log has the cause; nothing that was accepted is lost.'
    return sendProblem(reply, new MillraceError('internal_error', message))
  })
}

function openApi(version: string) {
  return {
    openapi: '3.1.0' as const,
    info: {
      title: 'Millrace',
      version,
      description:
        'Hosts flows and starts them by webhook. Errors are problem documents (RFC 9457) with a stable code.'
    },
    components: {
      securitySchemes: { key: { type: 'apiKey' as const, in: 'header' as const, name: 'x-api-key' } }
    },
    security: [{ key: [] }]
  }
}
