import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { type Clock, systemClock } from './clock.ts'
import { builtInComponents } from './components/built-in.ts'
import type { Config } from './config.ts'
import { componentCatalogue } from './contexts/component-catalogue.ts'
import { ContextTree } from './contexts/context-tree.ts'
import { MillraceError, messageOf } from './errors.ts'
import { EXAMPLE_FLOW } from './example-flow.ts'
import { buildApp } from './http/build-app.ts'
import { createMetrics, type Metrics } from './http/metrics.ts'
import { KeyRing } from './keys/key-ring.ts'
import { FlowLibrary } from './library/flow-library.ts'
import { loadPlugins, registerComponent } from './plugins.ts'
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
  const clock = options.clock ?? systemClock()
  const onError = (error: unknown, doing: string) =>
    log.error({ err: error }, `${doing} failed: ${messageOf(error)}`)
  const tree = await plantTree(config, options.folder)
  let runs: Runs | undefined
  const metrics = createMetrics(() => runs?.backlog ?? 0)
  const store = await openStore(config, log, metrics)
  const library = new FlowLibrary({
    store: store.flows,
    catalogue: componentCatalogue(tree),
    newId: clock.newId,
    now: clock.now
  })
  const keys = new KeyRing({ store: store.keys, newId: clock.newId, now: clock.now })
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
  const retention = new Retention({ store: store.runs, clock, settings: config.retention, onError })
  const parts: Parts = { options, clock, store, library, keys, runs, retention, tree, metrics, onError }
  return assemble(parts)
}

interface Parts {
  readonly options: RuntimeOptions
  readonly clock: Clock
  readonly store: Store
  readonly library: FlowLibrary
  readonly keys: KeyRing
  readonly runs: Runs
  readonly retention: Retention
  readonly tree: ContextTree
  readonly metrics: Metrics
  readonly onError: (error: unknown, doing: string) => void
}

async function plantTree(config: Config, folder: string): Promise<ContextTree> {
  const tree = new ContextTree()
  for (const component of builtInComponents) registerComponent(tree, component, 'millrace')
  await loadPlugins(config.plugins, tree, folder)
  tree.freeze()
  return tree
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

async function assemble(parts: Parts): Promise<Runtime> {
  const { options, store, library, keys, runs, retention, clock, onError } = parts
  const { config } = options
  let isStopping = false
  const app = await buildApp({
    ...parts,
    log: options.log,
    version: options.version,
    bodyLimit: config.bodyLimit,
    isStopping: () => isStopping
  })
  const saveUses = () => keys.saveUses().catch((error) => onError(error, 'saving when keys were last used'))
  const timer = setInterval(saveUses, SAVE_KEY_USES_MS).unref()

  async function start(): Promise<Started> {
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
    isStopping = true
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
