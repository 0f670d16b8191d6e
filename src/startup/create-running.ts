import { availableParallelism } from 'node:os'
import type { Clock } from '../clock.ts'
import { DocumentReader } from '../documents/document-reader.ts'
import { planFlow } from '../engine/plan.ts'
import type { FilePlace } from '../files/file-place.ts'
import { FileSweep } from '../files/file-sweep.ts'
import type { Files } from '../files/files.ts'
import type { Metrics } from '../http/operations/metrics.ts'
import { linkAddresses } from '../http/waiting/link-addresses.ts'
import { Spending } from '../runs/costs/spending.ts'
import { createRuns } from '../runs/create-runs.ts'
import { OwnBacklog } from '../runs/dispatch/own-backlog.ts'
import { RunFiles } from '../runs/files/run-files.ts'
import { KeptLibrary } from '../runs/kept/kept-library.ts'
import { Expectations } from '../runs/rehearsal/expectations.ts'
import { Rehearsals } from '../runs/rehearsal/rehearsals.ts'
import { FlowBin } from '../runs/retention/flow-bin.ts'
import { Retention } from '../runs/retention/retention.ts'
import type { Runs } from '../runs/runs.ts'
import { Pins } from '../runs/steps/pins.ts'
import { sessionHistory } from '../runs/steps/session-history.ts'
import { NO_STEP_WATCH } from '../runs/steps/step-watch.ts'
import { VersionResources } from '../runs/steps/version-resources.ts'
import { SandboxPool, sandboxSize } from '../sandbox/sandbox-pool.ts'
import type { EmbeddedStore } from '../store/embedded-store.ts'
import { isSharedStore, type SharedStore } from '../store/shared-store.ts'
import type { Triggers } from '../triggers/triggers.ts'
import type { TryWatch } from '../triggers/watch/try-watch.ts'
import type { Access } from './create-access.ts'
import type { KnowledgeParts } from './create-knowledge.ts'
import type { Libraries } from './create-libraries.ts'
import type { Outside } from './create-outside.ts'
import { createTriggers, type MadeTriggers } from './create-triggers.ts'
import { heapForRuns } from './heap-share.ts'
import type { Joined } from './join-cluster.ts'
import { mostInFlight, openFilesLimit } from './open-files.ts'
import type { ServiceOptions } from './service-options.ts'

/** What runs flows, starts them, and clears up after them. */
export interface Running {
  readonly runs: Runs
  readonly triggers: Triggers
  readonly tryWatch: TryWatch
  readonly bin: FlowBin
  readonly retention: Retention
  readonly kept: KeptLibrary
  readonly pins: Pins
  readonly rehearsals: Rehearsals
  readonly expectations: Expectations
  readonly sandbox: SandboxPool
  readonly documents: DocumentReader
  readonly spending: Spending
  readonly versionResources: VersionResources
}

interface RunningOptions {
  readonly options: Pick<ServiceOptions, 'config' | 'sizes' | 'watch' | 'log' | 'lookAt'>
  readonly store: EmbeddedStore | SharedStore
  readonly filePlace: FilePlace
  readonly files: Files
  readonly clock: Clock
  readonly processId: string
  readonly access: Pick<Access, 'linkTokens' | 'ownAddress'>
  readonly libraries: Pick<Libraries, 'library' | 'scopes'>
  readonly outside: Outside
  readonly knowing: Pick<KnowledgeParts, 'collections' | 'knowledge' | 'reembedding'>
  readonly joined: Joined | undefined
  readonly metrics: Metrics
  readonly onError: (error: unknown, doing: string) => void
}

export function createRunning(given: RunningOptions): Running {
  const { options, store, files, clock, processId, access, outside, joined, metrics, onError } = given
  const { config } = options
  const { library, scopes } = given.libraries
  const { now } = clock
  const reach = { egress: outside.egress, connections: outside.opener }
  const kept = new KeptLibrary({ store: store.kept, now })
  const versionResources = new VersionResources({ library: () => library, outside: reach, onError })
  const sandbox = new SandboxPool({ size: sandboxSize(availableParallelism()), clock })
  const documents = new DocumentReader({ clock })
  const spending = new Spending({
    store: store.spending,
    clock,
    onNear: (context, words) => options.log.warn({ context }, `A budget is nearly used up: ${words}.`),
    onError
  })
  const places = {
    computing: config.concurrency,
    underWay: mostInFlight(config.inFlight, openFilesLimit()),
    memory: heapForRuns()
  }
  const runs = createRuns({
    store: store.runs,
    clock,
    library,
    files,
    scopeOf: (context) => scopes.of(context),
    outside: {
      addresses: linkAddresses(access.linkTokens, access.ownAddress),
      ...reach,
      circuits: outside.circuits,
      resources: versionResources,
      kept,
      knowledge: given.knowing,
      spending,
      files: new RunFiles({ files, store, now }),
      sandbox,
      documents,
      history: sessionHistory({ ...store, readPiece: (...place) => store.runs.readPiece(...place) })
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
    ...(joined !== undefined && { sharing: joined.membership })
  })
  const { triggers, tryWatch }: MadeTriggers = createTriggers({
    store,
    library,
    runs,
    scopes,
    outside: reach,
    documents,
    clock,
    processId,
    lookAt: options.lookAt,
    onError
  })
  const bin = new FlowBin({ flows: store.flows, store: store.runs, runs })
  const retention = new Retention({
    store: store.runs,
    clock,
    settings: config.retention,
    removeExpired: (slice) => store.kept.removeExpired(now(), slice),
    sweepKnowledge: (looseBefore, slice) => store.knowledge.sweep(looseBefore, slice),
    sweepSummaries: (slice) => store.sessions.sweep(slice),
    reembed: () => given.knowing.reembedding.run(),
    files: new FileSweep({ store: store.files, place: given.filePlace, now }),
    purgeFlows: async (deletedBefore, most) =>
      (await bin.purgeBefore(deletedBefore, most)) +
      (await store.connections.forgetRemoved(deletedBefore, most)),
    onError,
    isMine: () => joined?.membership.isLeader ?? true
  })
  const pins = new Pins({
    store: store.pins,
    catalogue: library.surroundings.catalogue,
    scopeOf: (context) => scopes.of(context),
    connections: outside.opener,
    now,
    inTurns: (work) => library.inTurns(work)
  })
  const rehearsals = new Rehearsals({
    store: store.rehearsals,
    runs: store.runs,
    clock,
    rehearse: runs.rehearse,
    onError
  })
  const expectations = new Expectations({
    store: store.expectations,
    runs,
    planFlow: (tried) => planFlow(tried, library.surroundings.catalogue),
    clock
  })
  return {
    runs,
    triggers,
    tryWatch,
    bin,
    retention,
    kept,
    pins,
    rehearsals,
    expectations,
    sandbox,
    documents,
    versionResources,
    spending
  }
}
