import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import { type Clock, systemClock } from './clock.ts'
import type { Connection } from './connections/connection.ts'
import { ConnectionLibrary } from './connections/connection-library.ts'
import type { ConnectionResources } from './connections/connection-resources.ts'
import { assertFileAllowed } from './connections/file-access.ts'
import { SenderSecrets } from './connections/sender-secrets.ts'
import { componentCatalogue } from './contexts/component-catalogue.ts'
import { isWithin } from './contexts/context-path.ts'
import { ContextTree } from './contexts/context-tree.ts'
import type { Egress } from './egress/egress.ts'
import { messageOf } from './errors.ts'
import { EXAMPLE_FLOW } from './flows/example-flow.ts'
import type { ServiceDeps } from './http/mount-service.ts'
import { createMetrics } from './http/operations/metrics.ts'
import { Refusals } from './http/operations/refusals.ts'
import { KnownHosts } from './http/requests/known-hosts.ts'
import { ContextWebhooks } from './http/webhook/context-webhooks.ts'
import { RateLimiter } from './http/webhook/rate-limiter.ts'
import { SharedRateLimiter } from './http/webhook/shared-rate-limiter.ts'
import { KeyGuesses } from './keys/key-guesses.ts'
import { KeyRing } from './keys/key-ring.ts'
import { Sessions } from './keys/sessions.ts'
import { operatorsKey, SignInLinks } from './keys/sign-in-links.ts'
import { ContextLibrary } from './library/context-library.ts'
import { FlowLibrary } from './library/flow-library.ts'
import { holdsSecrets, moveStoredSecrets, withMovedSecrets } from './library/move-secrets.ts'
import { FlowBin } from './runs/flow-bin.ts'
import { OwnBacklog } from './runs/own-backlog.ts'
import { isSuspect } from './runs/quarantine.ts'
import { Retention } from './runs/retention.ts'
import { RunScopes } from './runs/run-scope.ts'
import { Runs } from './runs/runs.ts'
import { sessionHistory } from './runs/session-history.ts'
import { NO_STEP_WATCH, type StepWatch } from './runs/step-watch.ts'
import { isUnfinishedIn } from './runs/unfinished-in.ts'
import type { Config } from './startup/config.ts'
import { createDrafts } from './startup/create-drafts.ts'
import { createOutside } from './startup/create-outside.ts'
import { type Joined, joinCluster } from './startup/join-cluster.ts'
import { mostInFlight, openFilesLimit } from './startup/open-files.ts'
import { openStore } from './startup/open-store.ts'
import { secretKeys } from './startup/secret-key-file.ts'
import { isSharedStore } from './store/shared-store.ts'

/** What the service needs, wherever it is served. */
export type ServiceConfig = Pick<
  Config,
  | 'role'
  | 'database'
  | 'home'
  | 'apiKey'
  | 'secretKey'
  | 'egressAllow'
  | 'bodyLimit'
  | 'backlogLimit'
  | 'concurrency'
  | 'inFlight'
  | 'outputLimits'
  | 'retention'
>

export interface ServiceOptions {
  readonly config: ServiceConfig
  readonly log: FastifyBaseLogger
  readonly version: string
  /** The names that it answers to; absent where that is for the application to say. */
  readonly hosts?: KnownHosts
  readonly clock?: Clock
  readonly watch?: StepWatch
  /** The folder of the built page, where it is another than this package's own. */
  readonly pageFolder?: string
}

const PAGE_FOLDER = fileURLToPath(new URL('../web/dist', import.meta.url))

/** All parts of Millrace, without a web server: something to put on one, to begin and to end. */
export interface Service {
  readonly deps: ServiceDeps
  /** To be called when all plugins are loaded and before the first request is taken. */
  begin(): Promise<Begun>
  /** Resolves when steps under way have reached a checkpoint, or have had time enough to. */
  drain(): Promise<void>
  /** To be called last, when no request is under way any more. */
  end(): Promise<void>
}

export interface Begun {
  readonly isFirstStart: boolean
  /** The key of a new store that the configuration gave none. */
  readonly generatedKey: string | null
  /** At the first start: what signs its operator in to the page, once. */
  readonly signInToken: string | null
}

const SAVE_KEY_USES_MS = 30_000
/** SIGTERM must end within 10 s; what has not reached a checkpoint by then is repeated by the next start. */
const DRAIN_WITHIN_MS = 8_000
const LEAVE_WITHIN_MS = 1_000
/** Pools of connections take their leave of databases within this time, or go without. */
const CLOSE_WITHIN_MS = 500

export async function createService(options: ServiceOptions): Promise<Service> {
  const parts = await createParts(options)
  const { store, library, contexts, connections, keys, sessions, signInLinks, runs, retention, clock } = parts
  const { stopping, onError, joined } = parts
  const save = () => Promise.all([keys.saveUses(), library.aliasCalls.save()])
  const saveUses = () => save().catch((error) => onError(error, 'saving when keys and aliases were used'))
  const timer = setInterval(saveUses, SAVE_KEY_USES_MS).unref()

  async function begin(): Promise<Begun> {
    // One process at a time: of two that start on a new store, the second has to find what the first one made.
    const begun = await (isSharedStore(store) ? store.processes.inTurn(prepareStore) : prepareStore())
    // Before the first request: what it starts has to queue up behind what an earlier process left.
    await runs.resume()
    if (isSuspect(store.uncleanEnds) && runs.backlog > 0) {
      options.log.warn(
        { processes: store.uncleanEnds, runs: runs.backlog },
        'The processes before this one did not stop in order. Steps of the runs that they left are written down before they begin: one that kills the process is found out and fails.'
      )
    }
    await joined?.membership.start()
    retention.start()
    return begun
  }

  async function prepareStore(): Promise<Begun> {
    const { apiKey, role } = options.config
    await contexts.load()
    await connections.load()
    await moveSecrets()
    await (joined === undefined ? library.load() : joined.peers.catchUp())
    await keys.load()
    await sessions.refresh()
    if (role === 'worker') return { isFirstStart: false, generatedKey: null, signInToken: null }
    if (apiKey !== null) await keys.configure(apiKey)
    const generatedKey = keys.list().length === 0 ? await keys.createFirst() : null
    if (store.isNew) await library.create(EXAMPLE_FLOW)
    // A key that is never shown would lock everybody out: it is, even where the store is not new.
    const isFirstStart = store.isNew || generatedKey !== null
    return { isFirstStart, generatedKey, signInToken: isFirstStart ? await offerSignIn() : null }
  }

  /** Flows that were saved by earlier versions hold signing secrets themselves. */
  async function moveSecrets(): Promise<void> {
    const left = await moveStoredSecrets(store.secretMoves, parts.senderSecrets)
    if (left === 0) return
    options.log.warn(
      { versions: left },
      'Versions of flows hold signing secrets, which belong into connections. They are moved by the first start with MILLRACE_SECRET_KEY set and no process of an older version left; until then they work where they are.'
    )
  }

  async function offerSignIn(): Promise<string | null> {
    const key = operatorsKey(keys.list(), clock.now())
    return key === undefined ? null : signInLinks.offer(key.id)
  }

  async function drain(): Promise<void> {
    stopping.isStopping = true
    clearInterval(timer)
    // A step may wait for nothing that keeps the process alive, which would then end here, before it has closed anything.
    const awake = setInterval(() => {}, DRAIN_WITHIN_MS)
    await Promise.race([Promise.all([runs.stop(), retention.stop()]), clock.after(DRAIN_WITHIN_MS)])
    clearInterval(awake)
  }

  async function end(): Promise<void> {
    clearInterval(timer)
    // A database that does not answer must not hold up the stop; the others notice by themselves.
    const leaving = leaveAndClose()
    await (joined === undefined ? leaving : Promise.race([leaving, clock.after(LEAVE_WITHIN_MS)]))
  }

  async function leaveAndClose(): Promise<void> {
    // First what others wait for: there is little time.
    await joined?.membership.leave()
    // A peer that does not take its leave must not hold up the stop either.
    await Promise.race([parts.resources.close(), clock.after(CLOSE_WITHIN_MS)])
    await parts.egress.close()
    await saveUses()
    await store.close()
  }

  return { deps: parts, begin, drain, end }
}

interface Parts extends ServiceDeps {
  /** Undefined where this process has the store to itself. */
  readonly joined: Joined | undefined
  readonly egress: Egress
  readonly resources: ConnectionResources
  readonly senderSecrets: SenderSecrets
  readonly retention: Retention
  readonly stopping: { isStopping: boolean }
  readonly onError: (error: unknown, doing: string) => void
}

async function createParts(options: ServiceOptions): Promise<Parts> {
  const { config, log, version } = options
  const clock = options.clock ?? systemClock()
  const onError = (error: unknown, doing: string) =>
    log.error({ err: error }, `${doing} failed: ${messageOf(error)}`)
  const tree = new ContextTree()
  let runs: Runs | undefined
  const metrics = createMetrics(() => runs?.backlog ?? 0)
  const { newId, now } = clock
  const processId = newId()
  const store = await openStore({ config, log, processId, onBatch: metrics.committed, onError })
  const joined = isSharedStore(store)
    ? joinCluster({
        store,
        clock,
        processId,
        role: config.role,
        version,
        libraries: () => ({ library, contexts, connections, keys, sessions }),
        onError
      })
    : undefined
  const scopes = new RunScopes(tree, (path) => ({
    step: contexts.setting(path, 'step_output_bytes') ?? config.outputLimits.step,
    run: contexts.setting(path, 'run_output_bytes') ?? config.outputLimits.run
  }))
  const keysConfirmed = isSharedStore(store) ? { confirmed: () => store.library.confirmed('keys') } : {}
  const keys: KeyRing = new KeyRing({ store: store.keys, newId, now, ...keysConfirmed })
  const sessions: Sessions = await Sessions.open({ store: store.signIns, keys, now, ...keysConfirmed })
  const signInLinks = new SignInLinks({ store: store.signIns, now })
  const contexts: ContextLibrary = new ContextLibrary({
    store: store.contexts,
    tree,
    newId,
    now,
    isInhabited: (path) =>
      library.list().some((flow) => isWithin(flow.context, path)) ||
      keys.list().some((key) => key.context !== null && isWithin(key.context, path)) ||
      connections.hasAnyWithin(path),
    hasUnfinishedRuns: (path) => isUnfinishedIn(path, { store: store.runs, library }),
    ...(isSharedStore(store) && { confirmed: () => store.library.confirmed('contexts') })
  })
  const fileRule = (connection: Connection) => assertFileAllowed(connection, config.home)
  const sealingKeys = secretKeys(config)
  const connections: ConnectionLibrary = new ConnectionLibrary({
    store: store.connections,
    tree,
    keys: sealingKeys,
    assertFileAllowed: fileRule,
    isMade: (path) => contexts.find(path) !== undefined,
    newId,
    now,
    ...(isSharedStore(store) && { confirmed: () => store.library.confirmed('connections') })
  })
  const senderSecrets = new SenderSecrets(connections)
  const library: FlowLibrary = new FlowLibrary({
    store: store.flows,
    catalogue: componentCatalogue(tree),
    defaults: {
      of: (context, name) => contexts.setting(context, name),
      variables: (context) => scopes.of(context).variables,
      signingSecret: (context, name) => connections.signingSecret(context, name),
      revision: () => tree.revision
    },
    moveSecrets: async (document) => {
      if (!holdsSecrets(document) || !(await store.secretMoves.mayMove())) return document
      return withMovedSecrets(document, senderSecrets)
    },
    isMade: (path) => contexts.find(path) !== undefined,
    newId,
    now,
    ...(joined === undefined ? {} : { peers: joined.peers })
  })
  const outside = createOutside({
    config,
    tokens: store.tokens,
    connections,
    keys: sealingKeys,
    assertFileAllowed: fileRule,
    clock,
    onError
  })
  const places = { computing: config.concurrency, underWay: mostInFlight(config.inFlight, openFilesLimit()) }
  runs = new Runs({
    store: store.runs,
    clock,
    library,
    scopeOf: (context) => scopes.of(context),
    outside: {
      egress: outside.egress,
      connections: outside.opener,
      history: sessionHistory(store.messages, (...place) => store.runs.readPiece(...place))
    },
    limits: { backlog: config.backlogLimit, places },
    onError,
    onEnded: metrics.ended,
    onUsage: metrics.used,
    deaths: store.uncleanEnds,
    backlog: isSharedStore(store) ? joined!.membership.backlog : new OwnBacklog(store.openRuns),
    watch: options.watch ?? NO_STEP_WATCH,
    ...(joined === undefined ? {} : { sharing: joined.membership })
  })
  const stopping = { isStopping: false }
  const bin = new FlowBin({ flows: store.flows, store: store.runs, runs })
  return {
    clock,
    store,
    library,
    drafts: createDrafts({ store, library, now, onError }),
    contexts,
    connections,
    ...outside,
    senderSecrets,
    keys,
    sessions,
    signInLinks,
    guesses: new KeyGuesses(now),
    refusals: new Refusals({
      log,
      now,
      count: metrics.refused,
      findFlow: (reference) => library.find(reference)
    }),
    hosts: options.hosts ?? new KnownHosts({ host: null, publicUrl: null, allowedHosts: [] }),
    runs,
    bin,
    tree,
    webhooks: new ContextWebhooks(tree, library),
    retention: new Retention({
      store: store.runs,
      clock,
      settings: config.retention,
      purgeFlows: (deletedBefore, most) => bin.purgeBefore(deletedBefore, most),
      onError,
      isMine: () => joined?.membership.isLeader ?? true
    }),
    limiter: isSharedStore(store)
      ? new SharedRateLimiter({ buckets: store.rates, clock })
      : new RateLimiter(now),
    servesAll: config.role !== 'worker',
    joined,
    metrics,
    version,
    bodyLimit: config.bodyLimit,
    pageFolder: options.pageFolder ?? PAGE_FOLDER,
    stopping,
    isStopping: () => stopping.isStopping,
    onError
  }
}
