import { hostname } from 'node:os'
import type { Clock } from '../clock.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { ContextLibrary } from '../library/context-library.ts'
import type { FlowLibrary } from '../library/flow-library.ts'
import { Membership } from '../runs/sharing/membership.ts'
import { InTurn } from '../store/in-turn.ts'
import type { LibraryPart, SharedStore } from '../store/shared-store.ts'
import type { Role } from './config.ts'

export interface JoinOptions {
  readonly store: SharedStore
  readonly clock: Clock
  readonly processId: string
  readonly role: Role
  readonly version: string
  /** Asked for when they are needed: they in turn need to know the others. */
  readonly libraries: () => { library: FlowLibrary; contexts: ContextLibrary; keys: KeyRing }
  readonly onError: (error: unknown, doing: string) => void
}

/** This process among those that share the store. */
export interface Joined {
  readonly membership: Membership
  /** Brings in the flows that others have saved. */
  catchUp(): Promise<void>
}

export function joinCluster(options: JoinOptions): Joined {
  const { store, clock, processId, role, version, libraries, onError } = options
  let revision = 0
  /** One after the other, or an older answer could overtake a newer one. */
  const inTurn = new InTurn()

  async function bringInFlows(): Promise<void> {
    const news = await store.library.flowsSince(revision)
    libraries().library.bringIn(news)
    revision = news.revision
  }

  async function bringIn(parts: ReadonlySet<LibraryPart>): Promise<void> {
    const { contexts, keys } = libraries()
    if (parts.has('contexts')) await contexts.refresh(bringInFlows)
    else if (parts.has('flows')) await bringInFlows()
    if (parts.has('keys')) await keys.refresh()
  }

  const membership = new Membership({
    store,
    clock,
    facts: { id: processId, role, host: hostname(), pid: process.pid, version },
    performs: role !== 'web',
    onLibraryChange: (parts) => inTurn.do(() => bringIn(parts)),
    onError
  })
  return { membership, catchUp: () => inTurn.do(bringInFlows) }
}
