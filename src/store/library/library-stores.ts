import type { Store } from '../store.ts'
import { createCollectionStore } from './collection-store.ts'
import { createCommentStore } from './comment-store.ts'
import { createConnectionStore } from './connection-store.ts'
import { createContextStore } from './context-store.ts'
import { createDocumentStore } from './document-store.ts'
import { createDraftStore } from './draft-store.ts'
import { createExpectationStore } from './expectation-store.ts'
import { createFileStore } from './file-store.ts'
import { createFlowStore } from './flow-store.ts'
import { createKeptDraftStore } from './kept-draft-store.ts'
import { createKeptStore } from './kept-store.ts'
import { createKeyStore } from './key-store.ts'
import { createKnowledgeStore } from './knowledge-store.ts'
import type { LibraryDatabase } from './library-database.ts'
import { createPinStore } from './pin-store.ts'
import { createPushStore } from './push-store.ts'
import { createRehearsalStore } from './rehearsal-store.ts'
import { createSessionStore } from './session-store.ts'
import { createSignInStore } from './sign-in-store.ts'
import { createSpendingStore } from './spending-store.ts'
import { createTokenStore } from './token-store.ts'
import { createTriggerStore } from './trigger-store.ts'

/** What the two databases do in ways of their own. */
interface OwnWays {
  readonly runsOfFlow: Parameters<typeof createFlowStore>[1]
  readonly changeValues: Parameters<typeof createKeptStore>[1]
}

/** All that is written once for both databases. */
export function createLibraryStores(library: LibraryDatabase, { runsOfFlow, changeValues }: OwnWays) {
  return {
    flows: createFlowStore(library, runsOfFlow),
    pushes: createPushStore(library),
    drafts: createDraftStore(library),
    keptDrafts: createKeptDraftStore(library),
    pins: createPinStore(library),
    expectations: createExpectationStore(library),
    comments: createCommentStore(library),
    rehearsals: createRehearsalStore(library),
    sessions: createSessionStore(library),
    spending: createSpendingStore(library),
    files: createFileStore(library),
    keys: createKeyStore(library),
    kept: createKeptStore(library, changeValues),
    connections: createConnectionStore(library),
    tokens: createTokenStore(library),
    documents: createDocumentStore(library),
    triggers: createTriggerStore(library),
    signIns: createSignInStore(library),
    contexts: createContextStore(library),
    collections: createCollectionStore(library),
    knowledge: createKnowledgeStore(library)
  } satisfies Partial<Store>
}
