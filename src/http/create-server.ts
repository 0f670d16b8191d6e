import type { IncomingMessage, ServerResponse } from 'node:http'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Refusals } from './operations/refusals.ts'
import { asMillraceError } from './problem.ts'
import { gatherBodiesOfPlugins } from './requests/gather-body.ts'
import { GatheredRequest } from './requests/gathered-request.ts'
import { KEEP_ALIVE_MS, PlainResponse } from './requests/plain-response.ts'
import { withoutPublicPath } from './requests/public-path.ts'
import { noteIfQueued } from './requests/taken-connection.ts'
import type { TrustsProxy } from './requests/trusted-proxies.ts'
import { answerUnreadable, answerUnserved, lacksHost } from './requests/unreadable-request.ts'
import { LONGEST_PATH_TEXT } from './schemas.ts'

interface ServerOptions {
  readonly log: FastifyBaseLogger
  /** Whether others than Millrace may add routes. */
  readonly hasPlugins: boolean
  /** Of the routes of plugins, where they set none. */
  readonly bodyLimit: number
  /** Proxies that are believed when they say whom they speak for; null: no proxy. */
  readonly trustsProxy: TrustsProxy | null
  readonly refusals: Refusals
  /** The path that people reach it below; see public-path.ts. */
  readonly publicPath: string
  /** Where a request is to be routed; see context-webhooks.ts. */
  readonly route: (request: IncomingMessage) => string
  /** Whether the request is answered without the router; see webhook-fast-path.ts. */
  readonly takes: (request: IncomingMessage, response: ServerResponse) => boolean
}

/**
 * Millrace's own routes are checked by TypeBox. Ajv and the writer of JSON that Fastify brings along are for those of
 * plugins: to load them takes 40 ms and 4 MB.
 */
const ONLY_OWN_ROUTES = { compilersFactory: { buildValidator: notLoaded, buildSerializer: notLoaded } }

function notLoaded(): never {
  throw new Error('a route with a schema stands outside the API, and there are no plugins')
}

/** The web server of a Millrace that stands alone. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { log, hasPlugins, bodyLimit, trustsProxy, refusals, publicPath, route, takes } = options
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger per request costs a twentieth of an accepted webhook, and nothing here logs per request.
    childLoggerFactory: (logger) => logger,
    ...(hasPlugins ? {} : { schemaController: ONLY_OWN_ROUTES }),
    bodyLimit,
    trustProxy: trustsProxy ?? false,
    requestTimeout: 120_000,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: { IncomingMessage: GatheredRequest, ServerResponse: PlainResponse, requireHostHeader: false },
    forceCloseConnections: 'idle',
    // What arrives while the service stops is refused where it would start something, with a problem document.
    return503OnClosing: false,
    routerOptions: { maxParamLength: LONGEST_PATH_TEXT },
    rewriteUrl: route,
    frameworkErrors: (error, _request, reply) => refusals.send(reply, asMillraceError(error)!),
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, refusals)
  }) as unknown as FastifyInstance
  gatherBodiesOfPlugins(app)
  const [serve] = app.server.listeners('request') as [typeof takes]
  answerUnserved(app.server, refusals)
  app.server.off('request', serve).on('request', (request, response) => {
    noteIfQueued(response)
    if (lacksHost(request, refusals)) return
    if (publicPath !== '') request.url = withoutPublicPath(request.url!, publicPath)
    if (!takes(request, response)) serve(request, response)
  })
  return app
}
