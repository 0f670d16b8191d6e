import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Clock } from './clock.ts'
import { MillraceError, messageOf } from './errors.ts'
import { createServer } from './http/create-server.ts'
import { mountService } from './http/mount-service.ts'
import { importPlugins } from './http/plugins/import-plugins.ts'
import { KnownHosts } from './http/requests/known-hosts.ts'
import { pathOf } from './http/requests/public-path.ts'
import { readTrustedProxies } from './http/requests/trusted-proxies.ts'
import { WebhookFastPath } from './http/webhook/webhook-fast-path.ts'
import type { StepWatch } from './runs/steps/step-watch.ts'
import { createService, type Service } from './service.ts'
import { type Config, reachableAddress } from './startup/config.ts'
import type { Welcome } from './startup/welcome.ts'

export interface RuntimeOptions {
  readonly config: Config
  readonly log: FastifyBaseLogger
  readonly version: string
  /** The folder that relative paths of plugins begin in. */
  readonly folder: string
  readonly clock?: Clock
  /** Is told which steps hold the thread. */
  readonly watch?: StepWatch
  /** The folder of the built page, where it is another than this package's own. */
  readonly pageFolder?: string
}

export interface Started extends Welcome {
  /** Where the service answers, for example http://127.0.0.1:7860. */
  readonly address: string
}

export interface Runtime {
  readonly app: FastifyInstance
  start(): Promise<Started>
  stop(): Promise<void>
}

/** For answers that are on their way when the last run has come to a checkpoint. */
const LINGER_MS = 1_000

/**
 * Connections that nobody has looked at yet; the system may allow fewer. Of Node's 511 there were too few for a burst of thousands: who finds no room
 * tries again after seconds, and is cut off at last.
 */
const MOST_UNSEEN = 4_096

/** A Millrace that stands alone: the service on a web server of its own, with the plugins that it was told of. */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { config, log, folder } = options
  const plugins = await importPlugins(config.plugins, folder)
  const service = await createService({ ...options, hosts: new KnownHosts(config) })
  const { webhooks, bodyLimit, metrics, servesAll } = service.deps
  const trustsProxy = config.trustProxy === null ? null : readTrustedProxies(config.trustProxy)!
  const publicPath = pathOf(config.publicUrl)
  const fastPath = new WebhookFastPath({
    ...service.deps,
    onAccepted: metrics.accepted,
    trustsProxy,
    prefix: publicPath
  })
  const app = createServer({
    log,
    hasPlugins: plugins.length > 0,
    bodyLimit,
    trustsProxy,
    refusals: service.deps.refusals,
    publicPath,
    route: (request) => webhooks.route(request),
    takes: (request, response) => servesAll && fastPath.takes(request, response)
  })
  try {
    await mountService(app, service.deps, plugins)
    await app.ready()
  } catch (error) {
    await service.end()
    throw error
  }
  return assemble(app, service, options)
}

function assemble(app: FastifyInstance, service: Service, { config }: RuntimeOptions): Runtime {
  async function start(): Promise<Started> {
    await service.begin()
    // Only now: a request that is answered before it can be made durable is a request lost.
    await listen()
    return { ...(await service.welcome()), address: addressOf(app, config.host) }
  }

  async function listen(): Promise<void> {
    const { host, port } = config
    try {
      await app.listen({ host, port, backlog: MOST_UNSEEN })
    } catch (error) {
      await stop()
      throw new MillraceError(
        'config_invalid',
        `it cannot listen on ${host}:${port} (${messageOf(error)}). Set HOST and PORT to an address of this machine that is free.`
      )
    }
  }

  async function stop(): Promise<void> {
    const closed = app.close()
    await service.drain()
    const { runs, clock } = service.deps
    await Promise.race([Promise.all([closed, runs.answers.allSent()]), clock.after(LINGER_MS)])
    runs.answers.cutOff()
    // Connections that say nothing, as browsers open them ahead of need, would hold the service back for a minute.
    app.server.closeAllConnections()
    await closed
    await service.end()
  }

  return { app, start, stop }
}

function addressOf(app: FastifyInstance, host: string): string {
  const bound = app.server.address()
  return reachableAddress(host, typeof bound === 'object' && bound !== null ? bound.port : 0)
}
