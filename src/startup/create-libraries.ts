import type { Clock } from '../clock.ts'
import type { Connection } from '../connections/connection.ts'
import { ConnectionLibrary } from '../connections/connection-library.ts'
import { ConnectionDocuments } from '../connections/documents/connection-documents.ts'
import { flowOperations } from '../connections/documents/flow-operations.ts'
import { loadDocument } from '../connections/documents/load-document.ts'
import type { SecretKeys } from '../connections/secret-keys.ts'
import { SenderSecrets } from '../connections/sender-secrets.ts'
import { componentCatalogue } from '../contexts/component-catalogue.ts'
import { isWithin } from '../contexts/context-path.ts'
import type { ContextTree } from '../contexts/context-tree.ts'
import { SharedPace } from '../flows/shared-pace.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { Comments } from '../library/comments.ts'
import { ContextLibrary } from '../library/context-library.ts'
import type { Drafts } from '../library/drafts.ts'
import { FlowLibrary } from '../library/flow-library.ts'
import type { LibraryPeers } from '../library/library-peers.ts'
import { Presence } from '../library/presence.ts'
import { Pushes } from '../library/push/pushes.ts'
import { sealSigningSecrets } from '../library/seal-signing-secrets.ts'
import { RunScopes } from '../runs/steps/run-scope.ts'
import { isUnfinishedIn } from '../runs/unfinished-in.ts'
import { isSharedStore, type LibraryPart } from '../store/shared-store.ts'
import type { Store } from '../store/store.ts'
import type { Config } from './config.ts'
import { createDrafts } from './create-drafts.ts'

/** What is saved: contexts, and the flows, drafts and connections in them. */
export interface Libraries {
  readonly contexts: ContextLibrary
  readonly connections: ConnectionLibrary
  readonly apiDocuments: ConnectionDocuments
  readonly library: FlowLibrary
  readonly drafts: Drafts
  readonly comments: Comments
  readonly presence: Presence
  readonly pushes: Pushes
  readonly scopes: RunScopes
  readonly senderSecrets: SenderSecrets
}

interface LibrariesOptions {
  readonly config: Pick<Config, 'outputLimits' | 'flowsFolder'>
  readonly store: Store
  readonly tree: ContextTree
  readonly clock: Pick<Clock, 'newId' | 'now' | 'soon' | 'stopwatch' | 'startTimer'>
  readonly keys: KeyRing
  readonly sealingKeys: () => SecretKeys
  readonly assertFileAllowed: (connection: Connection) => void
  readonly forgetTokens: (connectionId: string) => void
  readonly peers: LibraryPeers | undefined
  readonly onError: (error: unknown, doing: string) => void
}

/** They look at each other: a context is deleted when nothing lives in it, and a flow is saved into one that is there. */
export function createLibraries(options: LibrariesOptions): Libraries {
  const { config, store, tree, keys, peers, onError } = options
  const { newId, now } = options.clock
  const confirmed = (part: LibraryPart) =>
    isSharedStore(store) ? { confirmed: () => store.library.confirmed(part) } : {}
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
    ...confirmed('contexts')
  })
  const isMade = (path: string) => contexts.mayGo(path)
  const connections = new ConnectionLibrary({
    store: store.connections,
    tree,
    keys: options.sealingKeys,
    assertFileAllowed: options.assertFileAllowed,
    forgetTokens: options.forgetTokens,
    isMade,
    newId,
    now,
    ...confirmed('connections')
  })
  const pace = new SharedPace(options.clock)
  const documents = new ConnectionDocuments({
    store: store.documents,
    load: (bytes) => loadDocument(bytes, options.clock),
    pace,
    newId,
    now,
    ...confirmed('connections')
  })
  const scopes = new RunScopes(tree, (path) => ({
    step: contexts.setting(path, 'step_output_bytes') ?? config.outputLimits.step,
    run: contexts.setting(path, 'run_output_bytes') ?? config.outputLimits.run
  }))
  const senderSecrets = new SenderSecrets(connections)
  const library = new FlowLibrary({
    store: store.flows,
    catalogue: componentCatalogue(tree),
    defaults: {
      of: (context, name) => contexts.setting(context, name),
      variables: (context) => scopes.of(context).variables,
      signingSecret: (context, name) => connections.signingSecret(context, name),
      revision: () => tree.revision
    },
    operations: flowOperations(connections, documents),
    sealSecrets: (document) => sealSigningSecrets(document, senderSecrets),
    isMade,
    followsFolder: config.flowsFolder !== null,
    newId,
    now,
    pace,
    ...(peers !== undefined && { peers })
  })
  const told = isSharedStore(store) ? { signals: store.signals } : {}
  const comments = new Comments({ store: store.comments, now, newId, ...told })
  const presence = new Presence({ now, ...told })
  const drafts = createDrafts({ store, library, now, onError, secrets: senderSecrets })
  const pushes = new Pushes({
    store: store.pushes,
    tree,
    contexts,
    connections,
    library,
    drafts,
    newId,
    now,
    ...(peers !== undefined && { catchUp: () => peers.catchUp() }),
    ...(isSharedStore(store) && { confirmed: (part: LibraryPart) => store.library.confirmed(part) })
  })
  const beside = { drafts, comments, presence }
  return { contexts, connections, apiDocuments: documents, library, ...beside, pushes, scopes, senderSecrets }
}
