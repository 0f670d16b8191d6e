import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../clock.ts'
import type { Connection } from '../connections/connection.ts'
import { ConnectionLibrary } from '../connections/connection-library.ts'
import type { ConnectionResources } from '../connections/connection-resources.ts'
import { assertFileAllowed } from '../connections/file-access.ts'
import { SenderSecrets } from '../connections/sender-secrets.ts'
import { componentCatalogue } from '../contexts/component-catalogue.ts'
import { isWithin } from '../contexts/context-path.ts'
import { ContextTree } from '../contexts/context-tree.ts'
import type { Egress } from '../egress/egress.ts'
import { messageOf } from '../errors.ts'
import { createMetrics } from '../http/operations/metrics.ts'
import { Refusals } from '../http/operations/refusals.ts'
import { KnownHosts } from '../http/requests/known-hosts.ts'
import type { ServiceDeps } from '../http/service-deps.ts'
import { linkAddresses } from '../http/waiting/link-addresses.ts'
import { OwnAddress } from '../http/waiting/own-address.ts'
import { ContextWebhooks } from '../http/webhook/context-webhooks.ts'
import { RateLimiter } from '../http/webhook/rate-limiter.ts'
import { SharedRateLimiter } from '../http/webhook/shared-rate-limiter.ts'
import { KeyGuesses } from '../keys/key-guesses.ts'
import { KeyRing } from '../keys/key-ring.ts'
import { LinkTokens } from '../keys/link-tokens.ts'
import { Sessions } from '../keys/sessions.ts'
import { SignInLinks } from '../keys/sign-in-links.ts'
import { ContextLibrary } from '../library/context-library.ts'
import { FlowLibrary } from '../library/flow-library.ts'
import { holdsSecrets, withMovedSecrets } from '../library/move-secrets.ts'
import { OwnBacklog } from '../runs/dispatch/own-backlog.ts'
import { KeptLibrary } from '../runs/kept/kept-library.ts'
import { FlowBin } from '../runs/retention/flow-bin.ts'
import { Retention } from '../runs/retention/retention.ts'
import { Runs } from '../runs/runs.ts'
import { Pins } from '../runs/steps/pins.ts'
import { RunScopes } from '../runs/steps/run-scope.ts'
import { sessionHistory } from '../runs/steps/session-history.ts'
import { NO_STEP_WATCH } from '../runs/steps/step-watch.ts'
import { VersionResources } from '../runs/steps/version-resources.ts'
import { isUnfinishedIn } from '../runs/unfinished-in.ts'
import { SandboxPool, sandboxSize } from '../sandbox/sandbox-pool.ts'
import { isSharedStore } from '../store/shared-store.ts'
import type { Triggers } from '../triggers/triggers.ts'
import { clockOfStore } from './clock-of-store.ts'
import { createDrafts } from './create-drafts.ts'
import { createOutside, type Outside } from './create-outside.ts'
import { createTriggers } from './create-triggers.ts'
import { type Joined, joinCluster } from './join-cluster.ts'
import { mostInFlight, openFilesLimit } from './open-files.ts'
import { openStore } from './open-store.ts'
import { secretKeys } from './secret-key-file.ts'
import type { ServiceOptions } from './service-options.ts'

const PAGE_FOLDER = fileURLToPath(new URL('../../web/dist', import.meta.url))

export interface Parts extends ServiceDeps {
  /** Undefined where this process has the store to itself. */
  readonly joined: Joined | undefined
  readonly egress: Egress
  readonly resources: ConnectionResources
  readonly versionResources: VersionResources
  readonly sandbox: SandboxPool
  readonly triggers: Triggers
  readonly senderSecrets: SenderSecrets
  readonly retention: Retention
  readonly stopping: { isStopping: boolean }
  readonly onError: (error: unknown, doing: string) => void
}

/** Makes all parts and gives each what it needs; nothing is loaded or begun. */
export async function createParts(options: ServiceOptions): Promise<Parts> {
  const { config, log, version } = options
  const onError = (error: unknown, doing: string) =>
    log.error({ err: error }, `${doing} failed: ${messageOf(error)}`)
  const tree = new ContextTree()
  let runs: Runs | undefined
  const metrics = createMetrics({
    backlog: () => runs?.backlog ?? 0,
    destinationsDown: () => outside.circuits.down
  })
  const processId = (options.clock ?? systemClock()).newId()
  const open = options.openStore ?? openStore
  const store = await open({ config, log, processId, onBatch: metrics.committed, onError })
  const { clock, told } = await clockOfStore(store, options.clock)
  const { newId, now } = clock
  const joined = isSharedStore(store)
    ? joinCluster({
        store,
        clock,
        ...(told !== undefined && { told }),
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
  const linkTokens = await LinkTokens.open(store.signIns)
  const hosts = options.hosts ?? new KnownHosts({ host: null, publicUrl: null, allowedHosts: [] })
  const ownAddress = new OwnAddress(hosts.publicUrl)
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
    voidTokens: (connectionId) => outside.voidTokens(connectionId),
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
  const outside: Outside = createOutside({
    config,
    tokens: store.tokens,
    connections,
    keys: sealingKeys,
    assertFileAllowed: fileRule,
    clock,
    log,
    onError
  })
  const kept = new KeptLibrary({ store: store.kept, now })
  const reach = { egress: outside.egress, connections: outside.opener }
  const versionResources = new VersionResources({ library: () => library, outside: reach, onError })
  const sandbox = new SandboxPool({ size: sandboxSize(availableParallelism()), clock })
  const places = { computing: config.concurrency, underWay: mostInFlight(config.inFlight, openFilesLimit()) }
  runs = new Runs({
    store: store.runs,
    clock,
    library,
    scopeOf: (context) => scopes.of(context),
    outside: {
      addresses: linkAddresses(linkTokens, ownAddress),
      ...reach,
      circuits: outside.circuits,
      resources: versionResources,
      kept,
      sandbox,
      history: sessionHistory(store.messages, (...place) => store.runs.readPiece(...place))
    },
    limits: { backlog: config.backlogLimit, places, sizes: options.sizes },
    onError,
    onEnded: (status) => {
      metrics.ended(status)
      if (status === 'failed') triggers.runFailed()
    },
    onUsage: metrics.used,
    deaths: store.uncleanEnds,
    backlog: isSharedStore(store) ? joined!.membership.backlog : new OwnBacklog(store.openRuns),
    watch: options.watch ?? NO_STEP_WATCH,
    ...(joined === undefined ? {} : { sharing: joined.membership })
  })
  const triggers: Triggers = createTriggers({
    store,
    library,
    runs,
    scopes,
    outside: reach,
    clock,
    processId,
    onError
  })
  const stopping = { isStopping: false }
  const bin = new FlowBin({ flows: store.flows, store: store.runs, runs })
  return {
    clock,
    store,
    library,
    drafts: createDrafts({ store, library, now, onError }),
    pins: new Pins({
      store: store.pins,
      catalogue: library.surroundings.catalogue,
      scopeOf: (context) => scopes.of(context),
      connections: outside.opener,
      now
    }),
    kept,
    contexts,
    connections,
    ...outside,
    versionResources,
    sandbox,
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
    hosts,
    ownAddress,
    linkTokens,
    runs,
    triggers,
    bin,
    tree,
    webhooks: new ContextWebhooks(tree, library),
    retention: new Retention({
      store: store.runs,
      clock,
      settings: config.retention,
      removeExpired: (slice) => store.kept.removeExpired(now(), slice),
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
    standsStill: () => joined?.membership.standsStill ?? false,
    onError
  }
}
