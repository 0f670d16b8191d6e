import type { Catalogue } from '../flows/component/catalogue.ts'
import type { FlowDocument } from '../flows/document/flow-document.ts'
import type { SharedPace } from '../flows/shared-pace.ts'
import type { FlowStore } from '../store/store.ts'
import type { LibraryPeers } from './library-peers.ts'
import type { FlowOperations } from './operation-faults.ts'
import type { EntryDefaults } from './webhook-entry.ts'

/** What the library of flows is given. */
export interface LibraryDeps {
  readonly store: FlowStore
  readonly catalogue: Catalogue
  readonly defaults: EntryDefaults
  /** What nodes can call that name operations of APIs; nothing is said of them where it is left out. */
  readonly operations?: FlowOperations
  readonly newId: () => string
  readonly now: () => number
  /** Whether the context was made while the service ran, so that it may go at any moment. */
  readonly isMade: (context: string) => boolean
  /** Brings what a document holds of secrets to where they are kept; it stays as it is where this is left out. */
  readonly sealSecrets?: (document: FlowDocument) => Promise<FlowDocument>
  /** Whether flows come from a folder of files: then those that do are read-only everywhere else. */
  readonly followsFolder?: boolean
  /** The other processes that share the store; absent where there are none. */
  readonly peers?: LibraryPeers
  /** How documents are judged, of which the largest take seconds; in one turn where it is left out. */
  readonly pace?: Pick<SharedPace, 'run'>
}
