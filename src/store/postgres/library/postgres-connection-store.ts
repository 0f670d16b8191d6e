import type {
  ConnectionPlace,
  ConnectionResult,
  ConnectionStore,
  StoredConnection
} from '../../connections.ts'
import {
  CONNECTION_COLUMNS,
  type ConnectionRow,
  connectionValues,
  storedConnection
} from '../../rows/connection-row.ts'
import type { Query } from '../database/database.ts'
import { storableText } from '../database/storable-text.ts'
import type { LibraryWrites } from './library-writes.ts'

const addText = `INSERT INTO millrace.connections (${CONNECTION_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`

export function createConnectionStore(writes: LibraryWrites): ConnectionStore {
  const { db } = writes
  const add = (query: Query, connection: StoredConnection) =>
    query(addText, connectionValues({ ...connection, settings: storableText(connection.settings) }))
  return {
    list: () => listConnections(db.query),
    create: (connection, place = {}) =>
      writes.write('connections', async (query) => {
        const refusal = await refusalOf(query, connection, place)
        if (refusal === undefined) await add(query, connection)
        return refusal ?? 'done'
      }),
    replace: (connection, place = {}) =>
      writes.write('connections', async (query) => {
        const { id, revision } = connection
        const [before] = await query<{ revision: number }>(
          'SELECT revision FROM millrace.connections WHERE id = $1',
          [id]
        )
        if (before?.revision !== revision - 1) return 'stale'
        const refusal = await refusalOf(query, connection, place)
        if (refusal !== undefined) return refusal
        await query('DELETE FROM millrace.connections WHERE id = $1', [id])
        await add(query, connection)
        return 'done'
      }),
    remove: (id) =>
      writes.write('connections', async (query) => {
        const gone = await query('DELETE FROM millrace.connections WHERE id = $1 RETURNING id', [id])
        // Only now: who writes tokens locks the connection, so none come after.
        await query('DELETE FROM millrace.connection_tokens WHERE connection_id = $1', [id])
        return gone.length > 0
      })
  }
}

export async function listConnections(query: Query): Promise<StoredConnection[]> {
  const rows = await query<ConnectionRow>('SELECT * FROM millrace.connections ORDER BY context, name')
  return rows.map(storedConnection)
}

/** Whoever writes a connection holds the row of that part of the library, so nobody takes the name meanwhile. */
async function refusalOf(
  query: Query,
  { id, name, context }: StoredConnection,
  { isContextMade = false }: ConnectionPlace
): Promise<ConnectionResult | undefined> {
  if (isContextMade) {
    // Locked, so that the context is not removed while the connection is on its way there.
    const made = await query('SELECT 1 FROM millrace.contexts WHERE path = $1 FOR SHARE', [context])
    if (made.length === 0) return 'context_gone'
  }
  const namesakes = await query(
    'SELECT 1 FROM millrace.connections WHERE context = $1 AND name = $2 AND id <> $3',
    [context, name, id]
  )
  return namesakes.length === 0 ? undefined : 'name_taken'
}
