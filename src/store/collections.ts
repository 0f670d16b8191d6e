/** A collection of texts that are found again by their words and by their meaning. */
export interface StoredCollection {
  readonly id: string
  readonly name: string
  readonly context: string
  /** The name of the connection that leads to the model; null where there is none. */
  readonly connection: string | null
  /** The model that gives texts their meaning; null: they are searched by words alone. */
  readonly model: string | null
  /** How many texts there are, and into how many pieces they are cut. */
  readonly texts: number
  readonly chunks: number
  /** Rises with every text that is written or removed. */
  readonly revision: number
  readonly createdAt: number
  readonly updatedAt: number
}

export type NewCollection = Omit<StoredCollection, 'texts' | 'chunks' | 'revision'>

/** One that is put into a context which was made at run time gets there only while the store has that context. */
export interface CollectionPlace {
  readonly isContextMade?: boolean
}

export type CollectionChange = Pick<StoredCollection, 'id' | 'name' | 'connection' | 'model' | 'updatedAt'>

export interface CollectionStore {
  /** By context, then by name. */
  list(): Promise<StoredCollection[]>
  get(id: string): Promise<StoredCollection | undefined>
  /** The collections of this name in these contexts. */
  named(name: string, contexts: readonly string[]): Promise<StoredCollection[]>
  create(collection: NewCollection, place?: CollectionPlace): Promise<'done' | 'name_taken' | 'context_gone'>
  change(change: CollectionChange): Promise<'done' | 'name_taken' | 'gone'>
  /** Nobody finds it from then on; its texts go with `KnowledgeStore.sweep`. */
  remove(id: string, at: number): Promise<boolean>
}

/** A text of a collection, without its words. */
export interface StoredText {
  readonly collectionId: string
  /** As whoever wrote it named it: another text of the same name takes its place. */
  readonly id: string
  /** That of the collection when it was written: no two texts of one have the same. */
  readonly revision: number
  /** What its pieces are kept under. */
  readonly content: string
  readonly chunks: number
  /** The model that its vectors are of; null where it has none. */
  readonly model: string | null
  /** As JSON text: an object. */
  readonly metadata: string
  readonly updatedAt: number
}

/** A piece of a text. */
export interface Chunk {
  readonly text: string
  /** What it means, as a model says it; null where no model was asked. */
  readonly vector: string | null
}

/** A piece with what belongs to the whole text. */
export interface TextChunk extends Chunk, Pick<StoredText, 'id' | 'revision' | 'model' | 'metadata'> {
  /** Which of the pieces of the text, from 0. */
  readonly place: number
}

/** Which piece of a collection. */
export interface ChunkPlace {
  readonly revision: number
  readonly place: number
}

/** `gone`: there is no such collection. `changed`: another came first. `swept`: its pieces were kept too long ago. */
export type PutResult = 'done' | 'gone' | 'changed' | 'swept'

export interface KnowledgeStore {
  /**
   * Keeps pieces of a text that is on its way, from this place on. Until `put` names the content nobody finds them, and after a
   * day they are swept.
   */
  addChunks(content: string, from: number, chunks: readonly Chunk[], at: number): Promise<void>
  /** In the place of the text of the same id, and only of that revision where one is named. */
  put(text: Omit<StoredText, 'revision'>, onlyInPlaceOf?: number): Promise<PutResult>
  /** False where there is none. */
  remove(collectionId: string, id: string, at: number): Promise<boolean>
  text(collectionId: string, id: string): Promise<StoredText | undefined>
  /** In the order of their ids. */
  texts(question: {
    readonly collectionId: string
    readonly after?: string
    readonly limit: number
  }): Promise<StoredText[]>
  /** Texts whose vectors are not of this model, or that have none. */
  textsBesides(collectionId: string, model: string, limit: number): Promise<StoredText[]>
  countBesides(collectionId: string, model: string): Promise<number>
  chunks(content: string, from: number, limit: number): Promise<Chunk[]>
  /** Pieces that were written after this one, in the order of the revisions. */
  chunksAfter(collectionId: string, after: ChunkPlace, limit: number): Promise<TextChunk[]>
  revisionsAfter(collectionId: string, after: number, limit: number): Promise<number[]>
  /** Those of the pieces that are still there. */
  found(collectionId: string, places: readonly ChunkPlace[]): Promise<TextChunk[]>
  /** Deletes one slice of what nobody finds any more; resolves to how many pieces and texts went. */
  sweep(looseBefore: number, slice: number): Promise<number>
}
