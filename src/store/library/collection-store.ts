import type {
  CollectionChange,
  CollectionPlace,
  CollectionStore,
  NewCollection,
  StoredCollection
} from '../collections.ts'
import { anyRow, firstRow, type LibraryDatabase, type LibrarySteps, rows } from './library-database.ts'

const COLUMNS = 'id, name, context, connection, model, texts, chunks, revision, created_at, updated_at'
const THERE = 'deleted_at IS NULL'
const namesakeText = `SELECT 1 FROM collections WHERE context = ? AND name = ? AND id <> ? AND ${THERE}`
const addText = `INSERT INTO collections (${COLUMNS}) VALUES (?, ?, ?, ?, ?, 0, 0, 0, ?, ?)`
const changeText = `
  UPDATE collections SET name = ?, connection = ?, model = ?, updated_at = ? WHERE id = ? AND ${THERE} RETURNING id`
const removeText = `UPDATE collections SET deleted_at = ? WHERE id = ? AND ${THERE} RETURNING id`

/** No process holds collections in memory. Writes are made one after the other, so nobody takes a name or a context meanwhile. */
export function createCollectionStore(db: LibraryDatabase): CollectionStore {
  const { forShare, isListed, byBytes } = db.dialect
  const madeContext = `SELECT 1 FROM contexts WHERE path = ?${forShare}`
  const listText = `SELECT ${COLUMNS} FROM collections WHERE ${THERE} ORDER BY context${byBytes}, name${byBytes}`
  const getText = `SELECT ${COLUMNS} FROM collections WHERE id = ? AND ${THERE}`
  const namedText = `SELECT ${COLUMNS} FROM collections WHERE name = ? AND ${isListed('context')} AND ${THERE}`

  function* create(
    { id, name, context, connection, model, createdAt, updatedAt }: NewCollection,
    { isContextMade = false }: CollectionPlace
  ): LibrarySteps<'done' | 'name_taken' | 'context_gone'> {
    if (isContextMade && !(yield* anyRow(madeContext, context))) return 'context_gone'
    if (yield* anyRow(namesakeText, context, name, id)) return 'name_taken'
    yield* rows(addText, id, name, context, connection, model, createdAt, updatedAt)
    return 'done'
  }

  function* change({
    id,
    name,
    connection,
    model,
    updatedAt
  }: CollectionChange): LibrarySteps<'done' | 'name_taken' | 'gone'> {
    const before = yield* firstRow<CollectionRow>(getText, id)
    if (before === undefined) return 'gone'
    if (yield* anyRow(namesakeText, before.context, name, id)) return 'name_taken'
    return (yield* anyRow(changeText, name, connection, model, updatedAt, id)) ? 'done' : 'gone'
  }

  return {
    list: async () => (await db.read(() => rows<CollectionRow>(listText))).map(storedCollection),
    get: async (id) => {
      const row = await db.read(() => firstRow<CollectionRow>(getText, id))
      return row && storedCollection(row)
    },
    named: async (name, contexts) => {
      const found = await db.read(() => rows<CollectionRow>(namedText, name, JSON.stringify(contexts)))
      return found.map(storedCollection)
    },
    create: (collection, place = {}) => db.write('connections', () => create(collection, place)),
    change: (changed) => db.write('connections', () => change(changed)),
    remove: (id, at) => db.write('connections', () => anyRow(removeText, at, id))
  }
}

/** A row of collections, in either database. */
interface CollectionRow {
  readonly id: string
  readonly name: string
  readonly context: string
  readonly connection: string | null
  readonly model: string | null
  readonly texts: number
  readonly chunks: number
  readonly revision: number
  readonly created_at: number
  readonly updated_at: number
}

function storedCollection(row: CollectionRow): StoredCollection {
  const { id, name, context, connection, model, texts, chunks, revision } = row
  const { created_at: createdAt, updated_at: updatedAt } = row
  return { id, name, context, connection, model, texts, chunks, revision, createdAt, updatedAt }
}
