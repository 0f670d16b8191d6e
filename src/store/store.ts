import type { CollectionStore, KnowledgeStore } from './collections.ts'
import type { CommentStore } from './comments.ts'
import type { DocumentStore } from './connection-documents.ts'
import type { ConnectionStore, TokenStore } from './connections.ts'
import type { ContextStore } from './contexts.ts'
import type { KeyStore, SignInStore } from './credentials.ts'
import type { DraftStore } from './drafts.ts'
import type { ExpectationStore } from './expectations.ts'
import type { FileStore } from './files.ts'
import type { FlowStore } from './flow-store.ts'
import type { KeptDraftStore } from './kept-drafts.ts'
import type { KeptStore } from './kept-values.ts'
import type { MessageStore } from './message-store.ts'
import type { PinStore } from './pins.ts'
import type { PushStore } from './pushes.ts'
import type { RehearsalStore } from './rehearsals.ts'
import type { RunStore } from './run-store.ts'
import type { SessionStore } from './sessions.ts'
import type { SpendingStore } from './spending.ts'
import type { TriggerStore } from './triggers.ts'

export type * from './flow-store.ts'
export type * from './run-store.ts'

/**
 * What Millrace asks of a store. The rooms above it know only this file and those that it imports; the
 * same contract tests run on every implementation. Documents, steps and journal entries are opaque JSON text here: the store keeps, orders and
 * finds them, and never looks inside.
 *
 * Every write resolves only when it is durable (fsync, or the database's commit). Transitions are named and
 * compare before they set: each one says whether it won, so an illegal state cannot be written.
 *
 * A write that the disk or the database refuses rejects with MillraceError `store_unwritable`, and nothing of
 * it is kept.
 */
export interface Store {
  readonly kind: 'embedded' | 'postgres'
  /** True when this store was made by this very start. */
  readonly isNew: boolean
  /**
   * How many processes in a row, right before this one, ended without closing the store. Where processes share it this
   * is 0, and each run tells how often it was taken up.
   */
  readonly uncleanEnds: number
  readonly flows: FlowStore
  readonly pushes: PushStore
  readonly drafts: DraftStore
  readonly keptDrafts: KeptDraftStore
  readonly pins: PinStore
  readonly expectations: ExpectationStore
  readonly comments: CommentStore
  readonly rehearsals: RehearsalStore
  readonly kept: KeptStore
  readonly runs: RunStore
  readonly files: FileStore
  readonly messages: MessageStore
  readonly sessions: SessionStore
  readonly spending: SpendingStore
  readonly keys: KeyStore
  readonly signIns: SignInStore
  readonly contexts: ContextStore
  readonly connections: ConnectionStore
  readonly tokens: TokenStore
  readonly documents: DocumentStore
  readonly triggers: TriggerStore
  readonly collections: CollectionStore
  readonly knowledge: KnowledgeStore
  /**
   * Resolves when the store can be written, rejects with `store_unwritable` when not. Writes once a second at the most,
   * so it may be a second late to tell that a store has become unwritable to which nobody writes.
   */
  probe(): Promise<void>
  close(): Promise<void>
}
