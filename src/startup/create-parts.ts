import { fileURLToPath } from 'node:url'
import { Assistant } from '../assistant/assistant.ts'
import { type Clock, systemClock } from '../clock.ts'
import type { Connection } from '../connections/connection.ts'
import type { ConnectionResources } from '../connections/connection-resources.ts'
import { assertFileAllowed } from '../connections/file-access.ts'
import type { SenderSecrets } from '../connections/sender-secrets.ts'
import { ContextTree } from '../contexts/context-tree.ts'
import type { Egress } from '../egress/egress.ts'
import { messageOf } from '../errors.ts'
import { FileCount } from '../files/file-figures.ts'
import type { FilePlace } from '../files/file-place.ts'
import { Files } from '../files/files.ts'
import { UploadRoom } from '../files/upload-room.ts'
import { createMetrics } from '../http/operations/metrics.ts'
import { Refusals } from '../http/operations/refusals.ts'
import type { ServiceDeps } from '../http/service-deps.ts'
import { ContextWebhooks } from '../http/webhook/context-webhooks.ts'
import { RateLimiter } from '../http/webhook/rate-limiter.ts'
import { SharedRateLimiter } from '../http/webhook/shared-rate-limiter.ts'
import type { EmbeddedStore } from '../store/embedded-store.ts'
import { isSharedStore, type SharedStore } from '../store/shared-store.ts'
import { clockOfStore } from './clock-of-store.ts'
import { createAccess } from './create-access.ts'
import { createKnowledge, type KnowledgeParts } from './create-knowledge.ts'
import { createLibraries, type Libraries } from './create-libraries.ts'
import { createOutside, type Outside } from './create-outside.ts'
import { createRunning, type Running } from './create-running.ts'
import type { FlowFolder } from './flow-folder/flow-folder.ts'
import type { Joined } from './join-cluster.ts'
import { openFilePlace } from './open-file-place.ts'
import { openStore, tellNowAndThen } from './open-store.ts'
import { secretKeys } from './secret-key-file.ts'
import type { ServiceOptions } from './service-options.ts'
import { toldSettings } from './told-settings.ts'

const PAGE_FOLDER = fileURLToPath(new URL('../../web/dist', import.meta.url))

export interface Parts
  extends ServiceDeps,
    Pick<KnowledgeParts, 'knowledgeIndex' | 'reembedding'>,
    Omit<Running, 'runs' | 'tryWatch' | 'bin' | 'kept' | 'pins' | 'rehearsals' | 'expectations'> {
  /** Undefined where this process has the store to itself. */
  readonly joined: Joined | undefined
  readonly egress: Egress
  readonly resources: ConnectionResources
  readonly senderSecrets: SenderSecrets
  readonly stopping: { isStopping: boolean }
  /** Where flows come from, besides people; undefined where no folder is followed. */
  readonly flowFolder: FlowFolder | undefined
}

/** Makes all parts and gives each what it needs; nothing is loaded or begun. */
export async function createParts(options: ServiceOptions): Promise<Parts> {
  const { config, log, version } = options
  const onError = (error: unknown, doing: string) =>
    log.error({ err: error }, `${doing} failed: ${messageOf(error)}`)
  const tree = new ContextTree()
  const metrics = createMetrics({
    backlog: () => running.runs.backlog,
    destinationsDown: () => outside.circuits.down,
    files: () => fileCount.figures(),
    budgets: () => running.spending.shares()
  })
  const processId = (options.clock ?? systemClock()).newId()
  const open = options.openStore ?? openStore
  const store = await open({ config, log, processId, onBatch: metrics.committed, onError })
  const filePlace = await openPlace(store, options)
  const { clock, told } = await clockOfStore(store, options.clock)
  const fileCount = new FileCount(store.files, clock.now)
  const access = await createAccess({ store, clock, hosts: options.hosts })
  // Most have the store to themselves, and what shares it is 17 files.
  const joined = isSharedStore(store)
    ? (await import('./join-cluster.ts')).joinCluster({
        store,
        clock,
        ...(told !== undefined && { told }),
        processId,
        role: config.role,
        version,
        libraries: () => ({ ...libraries, ...access }),
        onError
      })
    : undefined
  const fileRule = (connection: Connection) => assertFileAllowed(connection, config.home)
  const sealingKeys = secretKeys(config)
  const libraries: Libraries = createLibraries({
    config,
    store,
    tree,
    clock,
    keys: access.keys,
    sealingKeys,
    assertFileAllowed: fileRule,
    forgetTokens: (connectionId) => outside.forgetTokens(connectionId),
    peers: joined?.peers,
    onError
  })
  const outside: Outside = createOutside({
    config,
    tokens: store.tokens,
    connections: libraries.connections,
    documents: libraries.apiDocuments,
    keys: sealingKeys,
    assertFileAllowed: fileRule,
    paces: isSharedStore(store) ? store.paces : undefined,
    clock,
    log,
    onError
  })
  const files = new Files({
    place: filePlace,
    store: store.files,
    limit: config.fileLimit,
    isRefusalFinal: config.database === null
  })
  const knowing = createKnowledge({ store, tree, clock, libraries, opener: outside.opener, onError })
  const around = {
    options,
    store,
    filePlace,
    files,
    clock,
    processId,
    access,
    libraries,
    outside,
    knowing,
    joined,
    metrics,
    onError
  }
  const running: Running = createRunning(around)
  const { library } = libraries
  const stopping = { isStopping: false }
  return {
    ...access,
    ...libraries,
    ...outside,
    ...knowing,
    ...running,
    assistant: new Assistant({ opener: outside.opener, spending: running.spending, clock, onError }),
    clock,
    store,
    files,
    uploads: new UploadRoom({ store: store.files, limit: config.fileLimit }),
    tree,
    joined,
    metrics,
    version,
    refusals: new Refusals({
      log,
      now: clock.now,
      count: metrics.refused,
      findFlow: (reference) => library.find(reference)
    }),
    webhooks: new ContextWebhooks(tree, library),
    limiter: isSharedStore(store)
      ? new SharedRateLimiter({ buckets: store.rates, clock })
      : new RateLimiter(clock.now),
    servesAll: config.role !== 'worker',
    bodyLimit: config.bodyLimit,
    settings: toldSettings(config),
    pageFolder: options.pageFolder ?? PAGE_FOLDER,
    flowFolder: await flowFolder(options, libraries, clock),
    stopping,
    isStopping: () => stopping.isStopping,
    standsStill: () => joined?.membership.standsStill ?? false,
    onError
  }
}

/** Few have one, and to read YAML takes a while to load. */
async function flowFolder(
  { config, log }: Pick<ServiceOptions, 'config' | 'log'>,
  { pushes }: Pick<Libraries, 'pushes'>,
  clock: Clock
): Promise<FlowFolder | undefined> {
  const { flowsFolder: folder, role } = config
  if (folder === null || role === 'worker') return undefined
  const { FlowFolder } = await import('./flow-folder/flow-folder.ts')
  return new FlowFolder({ folder, pushes, clock, log })
}

async function openPlace(
  store: EmbeddedStore | SharedStore,
  { config, log }: Pick<ServiceOptions, 'config' | 'log'>
): Promise<FilePlace> {
  try {
    const fileParts = isSharedStore(store) ? store.fileParts : undefined
    return await openFilePlace({ config, fileParts, onFault: tellNowAndThen(log) })
  } catch (error) {
    await store.close()
    throw error
  }
}
