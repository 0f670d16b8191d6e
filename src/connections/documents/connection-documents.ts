import { MillraceError } from '../../errors.ts'
import type { SharedPace } from '../../flows/shared-pace.ts'
import type { ApiOperation } from '../../flows/step/api-operation.ts'
import type { DocumentStore, StoredDocument } from '../../store/connection-documents.ts'
import type { Connection } from '../connection.ts'
import { connectionNotFound } from '../connection-refusals.ts'
import { Latest } from './latest.ts'
import { documentInvalid } from './load-document.ts'
import { type FoundOperation, OperationIndex } from './operation-index.ts'
import { type PackedDocument, unpackOperations } from './pack-document.ts'
import { withoutSent } from './sent-by-connection.ts'

interface ConnectionDocumentsDeps {
  readonly store: DocumentStore
  readonly load: (bytes: Uint8Array) => Promise<PackedDocument>
  readonly newId: () => string
  readonly now: () => number
  /** How indexes are read and searched. */
  readonly pace: Pick<SharedPace, 'run'>
  /** Resolves when the other processes know of what was written, or had time enough. */
  readonly confirmed?: () => Promise<void>
}

/** Operations in the indexes that are in memory: a kilobyte each. */
const MOST_INDEXED = 30_000
/** Up to some 50 kB each. */
const MOST_OPERATIONS = 200

/**
 * What APIs offer, by the documents of their connections. Every process knows which documents there are; of what they say it keeps in
 * memory what was last used, under the id of the document: one that was sent anew has another.
 */
export class ConnectionDocuments {
  readonly #deps: ConnectionDocumentsDeps
  #byConnection = new Map<string, StoredDocument>()
  readonly #indexes = new Latest<Promise<OperationIndex>>(MOST_INDEXED)
  readonly #operations = new Latest<ApiOperation>(MOST_OPERATIONS)
  #reading: Promise<unknown> = Promise.resolve()

  constructor(deps: ConnectionDocumentsDeps) {
    this.#deps = deps
  }

  /** Reads which there are, also those that other processes were given. */
  async load(): Promise<void> {
    const stored = await this.#deps.store.list()
    this.#byConnection = new Map(stored.map((document) => [document.connectionId, document]))
  }

  of({ id }: Pick<Connection, 'id'>): StoredDocument | undefined {
    return this.#byConnection.get(id)
  }

  async put(connection: Connection, bytes: Uint8Array): Promise<StoredDocument> {
    if (connection.kind !== 'http')
      throw documentInvalid(
        `The connection "${connection.name}" is of the kind ${connection.kind}, and documents belong to those of the kind http.`
      )
    const { facts, operations, index, parts } = await this.#inTurn(() => this.#deps.load(bytes))
    const { store, newId, now, confirmed } = this.#deps
    const document = {
      ...facts,
      id: newId(),
      connectionId: connection.id,
      size: bytes.byteLength,
      operations,
      updatedAt: now()
    }
    if (!(await store.put(document, { index, parts }))) throw connectionNotFound()
    this.#byConnection.set(connection.id, document)
    await confirmed?.()
    return document
  }

  async remove({ id, name }: Connection): Promise<void> {
    const { store, confirmed } = this.#deps
    const isRemoved = await store.remove(id)
    this.#byConnection.delete(id)
    if (!isRemoved) throw documentNotFound(name)
    await confirmed?.()
  }

  /** Undefined where the document has none of this id, and none that is `GET /path`. */
  async operation(
    connection: Pick<Connection, 'id' | 'settings'>,
    name: string
  ): Promise<ApiOperation | undefined> {
    return this.#withIndex(connection, async (document, index) => {
      const found = index.find(name)
      return found && withoutSent(await this.#read(document, found), connection)
    })
  }

  /** What does what was asked for, the best first; all of them where nothing was. */
  async search(connection: Pick<Connection, 'id'>, asked: string): Promise<readonly FoundOperation[]> {
    const found = await this.#withIndex(connection, async (_, index) =>
      this.#deps.pace.run(index.search(asked))
    )
    return found ?? []
  }

  async #withIndex<R>(
    connection: Pick<Connection, 'id'>,
    use: (document: StoredDocument, index: OperationIndex) => Promise<R>
  ): Promise<R | undefined> {
    const document = this.of(connection)
    if (document === undefined) return undefined
    try {
      return await use(document, await this.#indexOf(document))
    } catch (error) {
      // Another one has taken its place, which this process was not told of yet.
      if (!(error instanceof DocumentReplaced)) throw error
      await this.load()
      const now = this.of(connection)
      if (now === undefined || now.id === document.id) return undefined
      return use(now, await this.#indexOf(now))
    }
  }

  #indexOf(document: StoredDocument): Promise<OperationIndex> {
    const known = this.#indexes.get(document.id)
    if (known !== undefined) return known
    const index = this.#readIndex(document)
    this.#indexes.set(document.id, index, document.operations)
    index.catch(() => this.#indexes.delete(document.id))
    return index
  }

  async #readIndex({ id }: StoredDocument): Promise<OperationIndex> {
    const pieces = await this.#deps.store.index(id)
    if (pieces.length === 0) throw new DocumentReplaced()
    return this.#deps.pace.run(OperationIndex.read(pieces))
  }

  async #read(document: StoredDocument, { id, part }: FoundOperation): Promise<ApiOperation> {
    const key = `${document.id} ${id}`
    const known = this.#operations.get(key)
    if (known !== undefined) return known
    const piece = await this.#deps.store.part(document.id, part)
    const operation = piece && unpackOperations(piece).find((one) => one.id === id)
    if (!operation) throw new DocumentReplaced()
    this.#operations.set(key, operation)
    return operation
  }

  /** One document at a time is read: each takes a processor and hundreds of megabytes. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#reading.then(work)
    this.#reading = turn.catch(() => {})
    return turn
  }
}

class DocumentReplaced extends Error {}

export function documentNotFound(connection: string): MillraceError {
  return new MillraceError(
    'document_not_found',
    `The connection "${connection}" has no document. Send its OpenAPI document with PUT /api/v1/connections/{id}/document.`
  )
}
