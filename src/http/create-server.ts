import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { asMillraceError, sendProblem } from './problem.ts'
import { answerUnreadable } from './unreadable-request.ts'

export interface ServerOptions {
  readonly log: FastifyBaseLogger
  readonly bodyLimit: number
  /** Where a request is to be routed; see context-webhooks.ts. */
  readonly route: (request: IncomingMessage) => string
}

const API_BODY_LIMIT = 10 * 1024 * 1024

/** The web server of a Millrace that stands alone. */
export function createServer({ log, bodyLimit, route }: ServerOptions): FastifyInstance {
  return Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger per request costs a twentieth of an accepted webhook, and nothing here logs per request.
    childLoggerFactory: (logger) => logger,
    bodyLimit: Math.max(bodyLimit, API_BODY_LIMIT),
    requestTimeout: 120_000,
    forceCloseConnections: 'idle',
    // What arrives while the service stops is refused where it would start something, with a problem document.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    rewriteUrl: route,
    frameworkErrors: (error, _request, reply) => sendProblem(reply, asMillraceError(error)!),
    clientErrorHandler: answerUnreadable
  }) as unknown as FastifyInstance
}
