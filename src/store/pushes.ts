import type { StoredConnection } from './connections.ts'
import type { StoredContext } from './contexts.ts'
import type { FlowSave, NewFlow, StoredFlow } from './flow-store.ts'

/** Contexts, connections and flows that are changed together. */
export interface Push {
  readonly contexts: readonly PushedContext[]
  readonly connections: readonly PushedConnection[]
  readonly creates: readonly NewFlow[]
  /** Of flows that keep their slugs. */
  readonly saves: readonly FlowSave[]
  readonly removals: readonly PushedRemoval[]
}

export interface PushedContext {
  readonly context: StoredContext
  /** As it was; absent for a new one. */
  readonly before?: Pick<StoredContext, 'variables' | 'settings'>
  /** The context above it, where that one was made at run time and is not a part of the push. */
  readonly within?: string | undefined
}

export interface PushedConnection {
  /** With the next revision; 1 for a new one. */
  readonly connection: StoredConnection
  readonly isContextMade: boolean
  /** What somebody has signed in for is not good for it any more. */
  readonly voidsTokens?: boolean
}

interface PushedRemoval {
  readonly id: string
  /** It is removed while this is its live version. */
  readonly version: number
  readonly at: number
  readonly by: string | null
}

export type PushResult =
  | { readonly won: true; readonly flows: readonly StoredFlow[] }
  /** `slug_taken`: by a live flow, or by a deleted one that not everybody may replace. `stale`: what was planned for has changed. */
  | { readonly won: false; readonly because: 'stale' }
  | { readonly won: false; readonly because: 'slug_taken'; readonly slug: string }

export interface PushStore {
  /** All of it or nothing. */
  apply(push: Push): Promise<PushResult>
}
