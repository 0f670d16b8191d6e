import type {
  ConnectionPlace,
  ConnectionReplacing,
  ConnectionResult,
  ConnectionStore,
  RemovedConnection,
  StoredConnection
} from '../connections.ts'
import {
  CONNECTION_COLUMNS,
  type ConnectionRow,
  connectionValues,
  storedConnection
} from '../rows/connection-row.ts'
import { removeDocument } from './document-store.ts'
import { anyRow, firstRow, type LibraryDatabase, type LibrarySteps, rows } from './library-database.ts'

export function createConnectionStore(db: LibraryDatabase): ConnectionStore {
  const madeContext = `SELECT 1 FROM contexts WHERE path = ?${db.dialect.forShare}`

  /** Writes of connections are made one after the other, so nobody takes the name meanwhile. */
  function* refusalOf(
    { id, name, context }: StoredConnection,
    { isContextMade = false }: ConnectionPlace
  ): LibrarySteps<ConnectionResult | undefined> {
    // Locked, so that the context is not removed while the connection is on its way there.
    if (isContextMade && !(yield* anyRow(madeContext, context))) return 'context_gone'
    const namesake = 'SELECT 1 FROM connections WHERE context = ? AND name = ? AND id <> ?'
    return (yield* anyRow(namesake, context, name, id)) ? 'name_taken' : undefined
  }

  function* create(connection: StoredConnection, place: ConnectionPlace): LibrarySteps<ConnectionResult> {
    const refusal = yield* refusalOf(connection, place)
    if (refusal === undefined) yield* addConnection(connection)
    return refusal ?? 'done'
  }

  function* replace(
    connection: StoredConnection,
    { voidsTokens = false, ...place }: ConnectionReplacing
  ): LibrarySteps<ConnectionResult> {
    const before = yield* firstRow<{ revision: number }>(
      'SELECT revision FROM connections WHERE id = ?',
      connection.id
    )
    if (before?.revision !== connection.revision - 1) return 'stale'
    const refusal = yield* refusalOf(connection, place)
    if (refusal !== undefined) return refusal
    yield* replaceConnection(connection, voidsTokens)
    return 'done'
  }

  function* undelete(id: string, place: ConnectionPlace): LibrarySteps<ConnectionResult> {
    const row = yield* firstRow<RemovedRow>('SELECT * FROM deleted_connections WHERE id = ?', id)
    if (row === undefined) return 'stale'
    const connection = storedConnection(row)
    const refusal = yield* refusalOf(connection, place)
    if (refusal !== undefined) return refusal
    yield* rows('DELETE FROM deleted_connections WHERE id = ?', id)
    yield* addConnection({ ...connection, revision: connection.revision + 1 })
    return 'done'
  }

  return {
    list: () => db.read(listConnections),
    create: (connection, place = {}) => db.write('connections', () => create(connection, place)),
    replace: (connection, replacing = {}) => db.write('connections', () => replace(connection, replacing)),
    remove: (id) => db.write('connections', () => remove(id)),
    bin: (id, { deletedAt, deletedBy }) => db.write('connections', () => moveToBin(id, deletedAt, deletedBy)),
    removed: () => db.read(removed),
    undelete: (id, place = {}) => db.write('connections', () => undelete(id, place)),
    forgetRemoved: (before, most) => db.writeUnheld(() => forgetRemoved(before, most))
  }
}

export function* listConnections(): LibrarySteps<StoredConnection[]> {
  return (yield* rows<ConnectionRow>('SELECT * FROM connections ORDER BY context, name')).map(
    storedConnection
  )
}

function* addConnection(connection: StoredConnection): LibrarySteps<void> {
  const insert = `INSERT INTO connections (${CONNECTION_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  yield* rows(insert, ...connectionValues(connection))
}

export function* replaceConnection(connection: StoredConnection, voidsTokens: boolean): LibrarySteps<void> {
  yield* rows('DELETE FROM connections WHERE id = ?', connection.id)
  // Only now: who writes tokens locks the connection, so none come in between.
  if (voidsTokens) yield* rows(voidText, connection.id)
  yield* addConnection(connection)
}

const voidText = `
  UPDATE connection_tokens SET tokens = '', revision = revision + 1 WHERE connection_id = ? AND tokens <> ''`

function* remove(id: string): LibrarySteps<boolean> {
  const isRemoved = yield* anyRow('DELETE FROM connections WHERE id = ? RETURNING id', id)
  // Only now: who writes tokens locks the connection, so none come after.
  yield* rows('DELETE FROM connection_tokens WHERE connection_id = ?', id)
  yield* removeDocument(id)
  return isRemoved
}

interface RemovedRow extends ConnectionRow {
  readonly deleted_at: number
  readonly deleted_by: string | null
}

function* moveToBin(id: string, at: number, by: string | null): LibrarySteps<boolean> {
  const into = `INSERT INTO deleted_connections (${CONNECTION_COLUMNS}, deleted_at, deleted_by)`
  const from = `SELECT ${CONNECTION_COLUMNS}, CAST(? AS bigint), CAST(? AS text) FROM connections WHERE id = ?`
  yield* rows(`${into} ${from}`, at, by, id)
  const isRemoved = yield* anyRow('DELETE FROM connections WHERE id = ? RETURNING id', id)
  // Only now: who writes tokens locks the connection, so none come after.
  yield* rows('DELETE FROM connection_tokens WHERE connection_id = ?', id)
  return isRemoved
}

function* removed(): LibrarySteps<RemovedConnection[]> {
  const text = 'SELECT * FROM deleted_connections ORDER BY deleted_at DESC, id'
  const found = yield* rows<RemovedRow>(text)
  return found.map((row) => ({
    ...storedConnection(row),
    deletedAt: row.deleted_at,
    deletedBy: row.deleted_by
  }))
}

function* forgetRemoved(before: number, most: number): LibrarySteps<number> {
  const old = 'SELECT id FROM deleted_connections WHERE deleted_at < ? ORDER BY deleted_at, id LIMIT ?'
  const found = yield* rows<{ readonly id: string }>(old, before, most)
  for (const { id } of found) {
    yield* rows('DELETE FROM deleted_connections WHERE id = ?', id)
    yield* removeDocument(id)
  }
  return found.length
}
