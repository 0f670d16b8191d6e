import type { ConnectionPlace, ConnectionResult, ConnectionStore, StoredConnection } from '../connections.ts'
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

  function* replace(connection: StoredConnection, place: ConnectionPlace): LibrarySteps<ConnectionResult> {
    const before = yield* firstRow<{ revision: number }>(
      'SELECT revision FROM connections WHERE id = ?',
      connection.id
    )
    if (before?.revision !== connection.revision - 1) return 'stale'
    const refusal = yield* refusalOf(connection, place)
    if (refusal !== undefined) return refusal
    yield* rows('DELETE FROM connections WHERE id = ?', connection.id)
    yield* addConnection(connection)
    return 'done'
  }

  return {
    list: () => db.read(listConnections),
    create: (connection, place = {}) => db.write('connections', () => create(connection, place)),
    replace: (connection, place = {}) => db.write('connections', () => replace(connection, place)),
    remove: (id) => db.write('connections', () => remove(id))
  }
}

export function* listConnections(): LibrarySteps<StoredConnection[]> {
  return (yield* rows<ConnectionRow>('SELECT * FROM connections ORDER BY context, name')).map(
    storedConnection
  )
}

export function* addConnection(connection: StoredConnection): LibrarySteps<void> {
  const insert = `INSERT INTO connections (${CONNECTION_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  yield* rows(insert, ...connectionValues(connection))
}

function* remove(id: string): LibrarySteps<boolean> {
  const isRemoved = yield* anyRow('DELETE FROM connections WHERE id = ? RETURNING id', id)
  // Only now: who writes tokens locks the connection, so none come after.
  yield* rows('DELETE FROM connection_tokens WHERE connection_id = ?', id)
  yield* removeDocument(id)
  return isRemoved
}
