import type { Chunk, ChunkPlace, KnowledgeStore, PutResult, StoredText, TextChunk } from '../collections.ts'
import { anyRow, firstRow, type LibraryDatabase, type LibrarySteps, rows } from './library-database.ts'

const TEXT_COLUMNS = 'collection_id, id, revision, content, chunks, model, metadata, updated_at'
const CHUNK_COLUMNS = 't.id, t.revision, t.model, t.metadata, c.place, c.text, c.vector'

/** Where the answer to a write was lost, it comes again. */
const addChunkText = `
  INSERT INTO knowledge_chunks (content, place, text, vector) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`
const looseText = 'INSERT INTO knowledge_loose (content, since) VALUES (?, ?) ON CONFLICT DO NOTHING'
const tightText = 'DELETE FROM knowledge_loose WHERE content = ? RETURNING 1'
const putText = `INSERT INTO knowledge_texts (${TEXT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
const removeText = 'DELETE FROM knowledge_texts WHERE collection_id = ? AND id = ?'
const countText = `
  UPDATE collections SET revision = ?, texts = texts + ?, chunks = chunks + ?, updated_at = ? WHERE id = ?`
const getText = `SELECT ${TEXT_COLUMNS} FROM knowledge_texts WHERE collection_id = ? AND id = ?`
const besides = 'collection_id = ? AND (model IS NULL OR model <> ?)'
const besidesText = `SELECT ${TEXT_COLUMNS} FROM knowledge_texts WHERE ${besides} ORDER BY revision LIMIT ? + 0`
const countBesidesText = `SELECT count(*) AS count FROM knowledge_texts WHERE ${besides}`
const chunksText = `
  SELECT text, vector FROM knowledge_chunks WHERE content = ? AND place >= ? ORDER BY place LIMIT ? + 0`
// The first condition finds the place in the index; the second leaves out what of that text was read before.
const chunksAfterText = `
  SELECT ${CHUNK_COLUMNS} FROM knowledge_texts t JOIN knowledge_chunks c ON c.content = t.content
  WHERE t.collection_id = ? AND t.revision >= ? AND (t.revision > ? OR c.place > ?)
  ORDER BY t.revision, c.place LIMIT ? + 0`
const revisionsText = `
  SELECT revision FROM knowledge_texts WHERE collection_id = ? AND revision > ? ORDER BY revision LIMIT ? + 0`
const foundText = `
  SELECT ${CHUNK_COLUMNS} FROM knowledge_texts t JOIN knowledge_chunks c ON c.content = t.content
  WHERE t.collection_id = ? AND t.revision = ? AND c.place = ?`
const loosenedText = `
  DELETE FROM knowledge_texts WHERE collection_id = ? AND revision IN (
    SELECT revision FROM knowledge_texts WHERE collection_id = ? ORDER BY revision LIMIT ? + 0)
  RETURNING content`
const forgetText = 'DELETE FROM collections WHERE id = ? RETURNING id'

/** Written once for both databases. A text is there when its row is: pieces come before it, and go after it. */
export function createKnowledgeStore(db: LibraryDatabase): KnowledgeStore {
  const { forUpdate, forUpdateOfFree, byBytes } = db.dialect
  // Held to the end: revisions are given in the order in which they are seen.
  const holdText = `SELECT revision FROM collections WHERE id = ? AND deleted_at IS NULL${forUpdate}`
  const looseOnesText = `SELECT content FROM knowledge_loose WHERE since < ? ORDER BY since LIMIT 1${forUpdateOfFree}`
  const sweepChunksText = `
    DELETE FROM knowledge_chunks WHERE content = ? AND place IN (
      SELECT place FROM knowledge_chunks WHERE content = ? ORDER BY place LIMIT ? + 0)
    RETURNING 1`
  const deletedText = `SELECT id FROM collections WHERE deleted_at IS NOT NULL LIMIT 1${forUpdateOfFree}`
  const textsText = `
    SELECT ${TEXT_COLUMNS} FROM knowledge_texts WHERE collection_id = ? AND id > ?
    ORDER BY id${byBytes} LIMIT ? + 0`

  function* addChunks(
    content: string,
    from: number,
    { chunks, at }: { readonly chunks: readonly Chunk[]; readonly at: number }
  ): LibrarySteps<void> {
    if (from === 0) yield* rows(looseText, content, at)
    for (const [index, { text, vector }] of chunks.entries())
      yield* rows(addChunkText, content, from + index, text, vector)
  }

  function* put(
    text: Omit<StoredText, 'revision'>,
    onlyInPlaceOf: number | undefined
  ): LibrarySteps<PutResult> {
    const { collectionId, id, content, chunks, model, metadata, updatedAt } = text
    const held = yield* firstRow<{ revision: number }>(holdText, collectionId)
    if (held === undefined) return 'gone'
    const before = yield* firstRow<TextRow>(getText, collectionId, id)
    // A write whose answer was lost comes again.
    if (before?.content === content) return 'done'
    if (onlyInPlaceOf !== undefined && before?.revision !== onlyInPlaceOf) return 'changed'
    if (!(yield* anyRow(tightText, content))) return 'swept'
    if (before !== undefined) yield* takeOut(before)
    const revision = held.revision + 1
    yield* rows(putText, collectionId, id, revision, content, chunks, model, metadata, updatedAt)
    const [moreTexts, moreChunks] = [before === undefined ? 1 : 0, chunks - (before?.chunks ?? 0)]
    yield* rows(countText, revision, moreTexts, moreChunks, updatedAt, collectionId)
    return 'done'
  }

  function* takeOut({ collection_id, id, content }: TextRow): LibrarySteps<void> {
    yield* rows(removeText, collection_id, id)
    yield* rows(looseText, content, LONG_AGO)
  }

  function* remove(collectionId: string, id: string, at: number): LibrarySteps<boolean> {
    const held = yield* firstRow<{ revision: number }>(holdText, collectionId)
    const before = held && (yield* firstRow<TextRow>(getText, collectionId, id))
    if (before === undefined) return false
    yield* takeOut(before)
    yield* rows(countText, held!.revision + 1, -1, -before.chunks, at, collectionId)
    return true
  }

  function* found(collectionId: string, places: readonly ChunkPlace[]): LibrarySteps<TextChunk[]> {
    const all: TextChunk[] = []
    for (const { revision, place } of places) {
      const row = yield* firstRow<TextChunk>(foundText, collectionId, revision, place)
      if (row !== undefined) all.push({ ...row })
    }
    return all
  }

  function* sweep(looseBefore: number, slice: number): LibrarySteps<number> {
    const loose = yield* firstRow<{ content: string }>(looseOnesText, looseBefore)
    if (loose === undefined) return yield* sweepDeleted(slice)
    const { content } = loose
    const gone = yield* rows(sweepChunksText, content, content, slice)
    if (gone.length < slice) yield* rows(tightText, content)
    // One text may be short: that there are no more is said only by none being found.
    return slice
  }

  function* sweepDeleted(slice: number): LibrarySteps<number> {
    const deleted = yield* firstRow<{ id: string }>(deletedText)
    if (deleted === undefined) return 0
    const { id } = deleted
    const texts = yield* rows<{ content: string }>(loosenedText, id, id, slice)
    for (const { content } of texts) yield* rows(looseText, content, LONG_AGO)
    if (texts.length < slice) yield* rows(forgetText, id)
    return slice
  }

  return {
    addChunks: (content, from, chunks, at) =>
      db.writeUnheld(() => addChunks(content, from, { chunks, at }), bytesOf(chunks)),
    put: (text, onlyInPlaceOf) => db.writeUnheld(() => put(text, onlyInPlaceOf), text.metadata.length),
    remove: (collectionId, id, at) => db.writeUnheld(() => remove(collectionId, id, at)),
    text: async (collectionId, id) => {
      const row = await db.read(() => firstRow<TextRow>(getText, collectionId, id))
      return row && storedText(row)
    },
    texts: async ({ collectionId, after = '', limit }) =>
      (await db.read(() => rows<TextRow>(textsText, collectionId, after, limit))).map(storedText),
    textsBesides: async (collectionId, model, limit) =>
      (await db.read(() => rows<TextRow>(besidesText, collectionId, model, limit))).map(storedText),
    countBesides: async (collectionId, model) => {
      const row = await db.read(() => firstRow<{ count: number }>(countBesidesText, collectionId, model))
      return Number(row!.count)
    },
    chunks: async (content, from, limit) =>
      (await db.read(() => rows<Chunk>(chunksText, content, from, limit))).map((row) => ({ ...row })),
    chunksAfter: async (collectionId, { revision, place }, limit) => {
      const values = [collectionId, revision, revision, place, limit]
      return (await db.read(() => rows<TextChunk>(chunksAfterText, ...values))).map((row) => ({ ...row }))
    },
    revisionsAfter: async (collectionId, after, limit) => {
      const found = await db.read(() => rows<{ revision: number }>(revisionsText, collectionId, after, limit))
      return found.map(({ revision }) => revision)
    },
    found: (collectionId, places) => db.read(() => found(collectionId, places)),
    sweep: (looseBefore, slice) => db.writeUnheld(() => sweep(looseBefore, slice))
  }
}

/** Nobody waits for what was named before: it goes at the next opportunity. */
const LONG_AGO = 0

function bytesOf(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, { text, vector }) => sum + text.length + (vector?.length ?? 0), 0)
}

/** A row of knowledge_texts, in either database. */
interface TextRow {
  readonly collection_id: string
  readonly id: string
  readonly revision: number
  readonly content: string
  readonly chunks: number
  readonly model: string | null
  readonly metadata: string
  readonly updated_at: number
}

function storedText(row: TextRow): StoredText {
  const { collection_id: collectionId, id, revision, content, chunks, model, metadata } = row
  return { collectionId, id, revision, content, chunks, model, metadata, updatedAt: row.updated_at }
}
