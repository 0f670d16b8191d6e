import { EMBEDDING_KINDS } from '../components/language-model/model-kinds.ts'
import type { Connection } from '../connections/connection.ts'
import { parentPath } from '../contexts/context-path.ts'
import type { ContextTree } from '../contexts/context-tree.ts'
import { MillraceError } from '../errors.ts'
import type { CollectionStore, NewCollection, StoredCollection } from '../store/collections.ts'
import {
  collectionExists,
  collectionNotFound,
  modelWithoutConnection,
  noConnection,
  noneOfThatName,
  wrongConnection
} from './knowledge-refusals.ts'

/** What a collection can be called: at most a hundred characters of any language. */
export const COLLECTION_NAME = String.raw`^[^\s{}](?:[^\r\n{}]{0,98}[^\s{}])?$`

interface CollectionsDeps {
  readonly store: CollectionStore
  readonly tree: Pick<ContextTree, 'has'>
  readonly connections: {
    visible(context: string, name: string): Connection | undefined
    visibleNames(context: string): string[]
  }
  /** Whether the context was made at run time, and so may go. */
  readonly isMade: (path: string) => boolean
  readonly newId: () => string
  readonly now: () => number
  /** A collection has got another model. */
  readonly onModel: (id: string) => void
}

type WantedCollection = Pick<NewCollection, 'name' | 'context' | 'connection' | 'model'>

/** All collections, by the contexts that they live in. What is asked is checked here, and refused in words. */
export class Collections {
  readonly #deps: CollectionsDeps

  constructor(deps: CollectionsDeps) {
    this.#deps = deps
  }

  list(): Promise<StoredCollection[]> {
    return this.#deps.store.list()
  }

  find(id: string): Promise<StoredCollection | undefined> {
    return this.#deps.store.get(id)
  }

  /** The one that a flow in this context means by the name: the nearest upwards. */
  async visible(context: string, name: string): Promise<StoredCollection> {
    const found = name === '' ? [] : await this.#deps.store.named(name, upwards(context))
    const nearest = found.toSorted((one, other) => other.context.length - one.context.length)[0]
    if (nearest !== undefined) return nearest
    throw noneOfThatName(name, context, name === '' ? [] : await this.visibleNames(context))
  }

  async visibleNames(context: string): Promise<string[]> {
    const contexts = new Set(upwards(context))
    const seen = (await this.list()).filter((collection) => contexts.has(collection.context))
    return [...new Set(seen.map(({ name }) => name))].sort()
  }

  async create(wanted: WantedCollection): Promise<StoredCollection> {
    const { store, tree, isMade, newId, now } = this.#deps
    const { name, context } = wanted
    if (!tree.has(context)) throw noContext(context)
    this.#assertModel(wanted)
    const at = now()
    const made: NewCollection = { ...wanted, id: newId(), createdAt: at, updatedAt: at }
    const result = await store.create(made, { isContextMade: isMade(context) })
    if (result === 'name_taken') throw collectionExists(name, context)
    if (result === 'context_gone') throw noContext(context)
    return { ...made, texts: 0, chunks: 0, revision: 0 }
  }

  async change(
    { id, context }: StoredCollection,
    wanted: Omit<WantedCollection, 'context'>
  ): Promise<StoredCollection> {
    this.#assertModel({ ...wanted, context })
    const { store, now } = this.#deps
    const result = await store.change({ id, ...wanted, updatedAt: now() })
    if (result === 'name_taken') throw collectionExists(wanted.name, context)
    const changed = result === 'gone' ? undefined : await store.get(id)
    if (changed === undefined) throw collectionNotFound()
    this.#deps.onModel(id)
    return changed
  }

  async remove(id: string): Promise<void> {
    if (!(await this.#deps.store.remove(id, this.#deps.now()))) throw collectionNotFound()
  }

  #assertModel({ connection: name, model, context }: WantedCollection): void {
    if (name === null) {
      if (model !== null) throw modelWithoutConnection(model)
      return
    }
    const { connections } = this.#deps
    const connection = connections.visible(context, name)
    if (connection === undefined) throw noConnection(name, context, connections.visibleNames(context))
    const kinds: readonly string[] = EMBEDDING_KINDS
    if (!kinds.includes(connection.kind)) throw wrongConnection(name, connection.kind, kinds)
  }
}

function upwards(context: string): string[] {
  const paths: string[] = []
  for (let path: string | undefined = context; path !== undefined; path = parentPath(path)) paths.push(path)
  return paths
}

function noContext(path: string): MillraceError {
  return new MillraceError(
    'context_not_found',
    `There is no context "${path}". GET /api/v1/contexts lists the contexts.`
  )
}
