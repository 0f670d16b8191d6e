import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { type Clock, systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { componentCatalogue } from './contexts/component-catalogue.ts'
import { isWithin } from './contexts/context-path.ts'
import { ContextTree } from './contexts/context-tree.ts'
import { MillraceError, messageOf } from './errors.ts'
import { EXAMPLE_FLOW } from './example-flow.ts'
import { ContextWebhooks } from './http/context-webhooks.ts'
import { createServer } from './http/create-server.ts'
import { createMetrics, type Metrics } from './http/metrics.ts'
import { mountService, type ServiceDeps } from './http/mount-service.ts'
import { KeyRing } from './keys/key-ring.ts'
import { ContextLibrary } from './library/context-library.ts'
import { FlowLibrary } from './library/flow-library.ts'
import { importPlugins } from './plugins.ts'
import { Retention } from './runs/retention.ts'
import { Runs } from './runs/runs.ts'
import { SurroundingsOf } from './runs/surroundings.ts'
import { openSqliteStore } from './store/sqlite/open-sqlite-store.ts'
import type { Store } from './store/store.ts'

export interface RuntimeOptions {
  readonly config: Config
  readonly log: FastifyBaseLogger
  readonly version: string
  /** The folder that relative paths of plugins begin in. */
  readonly folder: string
  readonly clock?: Clock
}

export interface Started {
  /** Where the service answers, for example http://127.0.0.1:7860. */
  readonly address: string
  readonly isFirstStart: boolean
  /** The key of a new store that the configuration gave none. */
  readonly generatedKey: string | null
}

export interface Runtime {
  readonly app: FastifyInstance
  start(): Promise<Started>
  stop(): Promise<void>
}

const SAVE_KEY_USES_MS = 30_000
/** SIGTERM must end within 10 s; what has not reached a checkpoint by then is repeated by the next start. */
const STOP_WITHIN_MS = 8_000
/** For answers that are on their way when the last run has come to a checkpoint. */
const LINGER_MS = 1_000

/** The composition root: makes every part, gives each what it needs, and starts and stops them in order. */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { config, log } = options
  const plugins = await importPlugins(config.plugins, options.folder)
  const parts = await createParts(options)
  const { webhooks, store } = parts
  const app = createServer({ log, bodyLimit: config.bodyLimit, route: (request) => webhooks.route(request) })
  try {
    await mountService(app, parts, plugins)
    await app.ready()
  } catch (error) {
    await store.close()
    throw error
  }
  return assemble(app, parts)
}

interface Parts extends ServiceDeps {
  readonly options: RuntimeOptions
  readonly retention: Retention
  readonly stopping: { isStopping: boolean }
  readonly onError: (error: unknown, doing: string) => void
}

async function createParts(options: RuntimeOptions): Promise<Parts> {
  const { config, log, version } = options
  const clock = options.clock ?? systemClock()
  const onError = (error: unknown, doing: string) =>
    log.error({ err: error }, `${doing} failed: ${messageOf(error)}`)
  const tree = new ContextTree()
  let runs: Runs | undefined
  const metrics = createMetrics(() => runs?.backlog ?? 0)
  const store = await openStore(config, log, metrics)
  const { newId, now } = clock
  const keys = new KeyRing({ store: store.keys, newId, now })
  const contexts: ContextLibrary = new ContextLibrary({
    store: store.contexts,
    tree,
    newId,
    now,
    isInhabited: (path) =>
      library.list().some((flow) => isWithin(flow.context, path)) ||
      keys.list().some((key) => key.context !== null && isWithin(key.context, path))
  })
  const library = new FlowLibrary({
    store: store.flows,
    catalogue: componentCatalogue(tree),
    defaults: { of: (context, name) => contexts.setting(context, name), revision: () => tree.revision },
    newId,
    now
  })
  const surroundings = new SurroundingsOf(tree)
  runs = new Runs({
    store: store.runs,
    clock,
    library,
    surroundingsOf: (context) => surroundings.of(context),
    limits: { backlog: config.backlogLimit, concurrency: config.concurrency },
    onError,
    onEnded: metrics.ended
  })
  const stopping = { isStopping: false }
  return {
    options,
    clock,
    store,
    library,
    contexts,
    keys,
    runs,
    tree,
    webhooks: new ContextWebhooks(tree, library),
    retention: new Retention({ store: store.runs, clock, settings: config.retention, onError }),
    metrics,
    version,
    bodyLimit: config.bodyLimit,
    stopping,
    isStopping: () => stopping.isStopping,
    onError
  }
}

/** One line when the store stops taking writes, not one per refused request. */
function openStore(config: Config, log: FastifyBaseLogger, metrics: Metrics): Promise<Store> {
  let lastTold = 0
  return openSqliteStore({
    folder: config.home,
    onBatch: metrics.committed,
    onUnwritable: (error) => {
      const now = performance.now()
      if (lastTold !== 0 && now - lastTold < 5_000) return
      lastTold = now
      log.error({ code: 'store_unwritable' }, messageOf(error))
    }
  })
}

function assemble(app: FastifyInstance, parts: Parts): Runtime {
  const { options, store, library, contexts, keys, runs, retention, clock, stopping, onError } = parts
  const { config } = options
  const saveUses = () => keys.saveUses().catch((error) => onError(error, 'saving when keys were last used'))
  const timer = setInterval(saveUses, SAVE_KEY_USES_MS).unref()

  async function start(): Promise<Started> {
    await contexts.load()
    await library.load()
    await keys.load()
    if (config.apiKey !== null) await keys.configure(config.apiKey)
    const generatedKey = keys.list().length === 0 ? await keys.createFirst() : null
    if (store.isNew) await library.create(EXAMPLE_FLOW)
    // Before the first request: what it starts has to queue up behind what an earlier process left.
    await runs.resume()
    // Only now: a request that is answered before it can be made durable is a request lost.
    await listen()
    retention.start()
    // A key that is never shown would lock everybody out: it is, even where the store is not new.
    const isFirstStart = store.isNew || generatedKey !== null
    return { address: addressOf(app, config.host), isFirstStart, generatedKey }
  }

  async function listen(): Promise<void> {
    const { host, port } = config
    try {
      await app.listen({ host, port })
    } catch (error) {
      await stop()
      throw new MillraceError(
        'config_invalid',
        `it cannot listen on ${host}:${port} (${messageOf(error)}). Set HOST and PORT to an address of this machine that is free.`
      )
    }
  }

  async function stop(): Promise<void> {
    stopping.isStopping = true
    clearInterval(timer)
    retention.stop()
    const after = (ms: number) =>
      new Promise<void>((resolve) => {
        clock.startTimer(ms, resolve)
      })
    const closed = app.close()
    await Promise.race([runs.stop(), after(STOP_WITHIN_MS)])
    await Promise.race([closed, after(LINGER_MS)])
    // Connections that say nothing, as browsers open them ahead of need, would hold the service back for a minute.
    app.server.closeAllConnections()
    await closed
    await saveUses()
    await store.close()
  }

  return { app, start, stop }
}

/** A person cannot open 0.0.0.0: a service that listens everywhere is reached at the loopback address too. */
function addressOf(app: FastifyInstance, host: string): string {
  const bound = app.server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  const reachable = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}
