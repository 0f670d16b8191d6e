import { hostname } from 'node:os'
import type { Clock } from '../clock.ts'
import type { ConnectionLibrary } from '../connections/connection-library.ts'
import type { ConnectionDocuments } from '../connections/documents/connection-documents.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { Sessions } from '../keys/sessions.ts'
import type { ContextLibrary } from '../library/context-library.ts'
import type { FlowLibrary } from '../library/flow-library.ts'
import type { LibraryPeers } from '../library/library-peers.ts'
import { Membership } from '../runs/sharing/membership.ts'
import type { SharedClock } from '../runs/sharing/shared-clock.ts'
import { InTurn } from '../store/in-turn.ts'
import type { LibraryPart, SharedStore } from '../store/shared-store.ts'
import type { Role } from './config.ts'

interface JoinOptions {
  readonly store: SharedStore
  readonly clock: Clock
  readonly told?: SharedClock['told']
  readonly processId: string
  readonly role: Role
  readonly version: string
  /** Asked for when they are needed: they in turn need to know the others. */
  readonly libraries: () => {
    library: FlowLibrary
    contexts: ContextLibrary
    connections: ConnectionLibrary
    apiDocuments: ConnectionDocuments
    keys: KeyRing
    sessions: Sessions
  }
  readonly onError: (error: unknown, doing: string) => void
}

/** This process among those that share the store. */
export interface Joined {
  readonly membership: Membership
  readonly peers: LibraryPeers
}

export function joinCluster(options: JoinOptions): Joined {
  const { store, clock, told, processId, role, version, libraries, onError } = options
  /** One after the other: a flow must not come in before the context that it was put into. */
  const inTurn = new InTurn()

  function bringInFlows(): Promise<void> {
    return libraries().library.bringIn((revision) => store.library.flowsSince(revision))
  }

  async function bringIn(parts: ReadonlySet<LibraryPart>): Promise<void> {
    const { contexts, connections, apiDocuments, keys, sessions } = libraries()
    if (parts.has('contexts')) await contexts.refresh(bringInFlows)
    else if (parts.has('flows')) await bringInFlows()
    // A context that came just now may be where a connection lives that is known already.
    if (parts.has('contexts') || parts.has('connections')) await connections.load()
    if (parts.has('connections')) await apiDocuments.load()
    if (!parts.has('keys')) return
    await keys.refresh()
    await sessions.refresh()
  }

  const membership = new Membership({
    store,
    clock,
    ...(told !== undefined && { told }),
    facts: { id: processId, role, host: hostname(), pid: process.pid, version },
    executes: role !== 'web',
    onLibraryChange: (parts) => inTurn.do(() => bringIn(parts)),
    onError
  })
  const peers: LibraryPeers = {
    catchUp: () => inTurn.do(bringInFlows),
    confirmed: () => store.library.confirmed('flows')
  }
  return { membership, peers }
}
