import type { Clock } from '../clock.ts'
import type { ConnectionOpener } from '../connections/connection-opener.ts'
import type { ContextTree } from '../contexts/context-tree.ts'
import { SharedPace } from '../flows/shared-pace.ts'
import { Collections } from '../knowledge/collections.ts'
import { KnowledgeIndex } from '../knowledge/index/knowledge-index.ts'
import { Knowledge } from '../knowledge/knowledge.ts'
import { KnowledgeForPeople } from '../knowledge/knowledge-for-people.ts'
import { Reembedding } from '../knowledge/reembedding.ts'
import type { Store } from '../store/store.ts'
import type { Libraries } from './create-libraries.ts'

/** What keeps texts, and finds them again. */
export interface KnowledgeParts {
  readonly collections: Collections
  readonly knowledge: Knowledge
  readonly knowledgeIndex: KnowledgeIndex
  readonly knowledgeForPeople: KnowledgeForPeople
  readonly reembedding: Reembedding
}

interface KnowledgeOptions {
  readonly store: Store
  readonly tree: ContextTree
  readonly clock: Clock
  readonly libraries: Pick<Libraries, 'connections' | 'contexts'>
  readonly opener: ConnectionOpener
  readonly onError: (error: unknown, doing: string) => void
}

export function createKnowledge(options: KnowledgeOptions): KnowledgeParts {
  const { store, tree, clock, libraries, opener, onError } = options
  const { connections, contexts } = libraries
  const { newId, now } = clock
  const collections = new Collections({
    store: store.collections,
    tree,
    connections,
    onModel: (id) => reembedding.changed(id),
    isMade: (path) => contexts.mayGo(path),
    newId,
    now
  })
  const reembedding = new Reembedding({
    collections: store.collections,
    knowledge: store.knowledge,
    opener,
    newId,
    now,
    onError
  })
  const index = new KnowledgeIndex({ collections: store.collections, knowledge: store.knowledge, clock })
  const knowledge = new Knowledge({ store: store.knowledge, index, newId, now })
  const pace = new SharedPace(clock)
  const forPeople = new KnowledgeForPeople({ knowledge, opener, clock, pace })
  return { collections, knowledge, knowledgeIndex: index, knowledgeForPeople: forPeople, reembedding }
}
