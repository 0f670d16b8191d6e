import type { DocumentPieces, DocumentStore, StoredDocument } from '../connection-documents.ts'
import { anyRow, firstRow, type LibraryDatabase, type LibrarySteps, rows } from './library-database.ts'

const COLUMNS = 'id, connection_id, format, title, version, server, size, operations, updated_at'
const putText = `INSERT INTO connection_documents (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
const putPieceText = 'INSERT INTO document_pieces (document_id, kind, piece, content) VALUES (?, ?, ?, ?)'
const removeText = 'DELETE FROM connection_documents WHERE connection_id = ? RETURNING id'
const removePiecesText = 'DELETE FROM document_pieces WHERE document_id = ?'
const indexText = `SELECT content FROM document_pieces WHERE document_id = ? AND kind = 'index' ORDER BY piece`
const partText = `SELECT content FROM document_pieces WHERE document_id = ? AND kind = 'part' AND piece = ?`

/** All processes hold what documents there are, and read their pieces when they need them. */
export function createDocumentStore(db: LibraryDatabase): DocumentStore {
  // Locked, so that the connection is not deleted between the look and the write.
  const connection = `SELECT 1 FROM connections WHERE id = ?${db.dialect.forShare}`

  function* put(document: StoredDocument, { index, parts }: DocumentPieces): LibrarySteps<boolean> {
    if (!(yield* anyRow(connection, document.connectionId))) return false
    yield* removeDocument(document.connectionId)
    yield* rows(putText, ...documentValues(document))
    for (const [piece, content] of index.entries())
      yield* rows(putPieceText, document.id, 'index', piece, content)
    for (const [piece, content] of parts.entries())
      yield* rows(putPieceText, document.id, 'part', piece, content)
    return true
  }

  return {
    list: () => db.read(list),
    put: (document, pieces) => db.write('connections', () => put(document, pieces), bytesOf(pieces)),
    remove: (connectionId) => db.write('connections', () => removeDocument(connectionId)),
    index: async (id) => (await db.read(() => rows<PieceRow>(indexText, id))).map(({ content }) => content),
    part: async (id, part) => (await db.read(() => firstRow<PieceRow>(partText, id, part)))?.content
  }
}

/** It goes with its connection. */
export function* removeDocument(connectionId: string): LibrarySteps<boolean> {
  const removed = yield* firstRow<{ id: string }>(removeText, connectionId)
  if (removed !== undefined) yield* rows(removePiecesText, removed.id)
  return removed !== undefined
}

function bytesOf({ index, parts }: DocumentPieces): number {
  return [...index, ...parts].reduce((sum, { length }) => sum + length, 0)
}

function* list(): LibrarySteps<StoredDocument[]> {
  const found = yield* rows<DocumentRow>('SELECT * FROM connection_documents ORDER BY connection_id')
  return found.map(storedDocument)
}

interface PieceRow {
  readonly content: string
}

interface DocumentRow {
  readonly id: string
  readonly connection_id: string
  readonly format: string
  readonly title: string
  readonly version: string
  readonly server: string | null
  readonly size: number
  readonly operations: number
  readonly updated_at: number
}

function storedDocument(row: DocumentRow): StoredDocument {
  const { id, format, title, version, server, size, operations } = row
  const { connection_id: connectionId, updated_at: updatedAt } = row
  return { id, connectionId, format, title, version, server, size, operations, updatedAt }
}

/** In the order of the columns. */
function documentValues(document: StoredDocument): (string | number | null)[] {
  const { id, connectionId, format, title, version, server, size, operations, updatedAt } = document
  return [id, connectionId, format, title, version, server, size, operations, updatedAt]
}
