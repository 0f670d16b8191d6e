import type { DatabaseSync } from 'node:sqlite'
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
import type { GroupCommit } from '../file/group-commit.ts'

export function createConnectionStore(db: DatabaseSync, commit: GroupCommit): ConnectionStore {
  const list = db.prepare('SELECT * FROM connections ORDER BY context, name')
  const namesake = db.prepare('SELECT 1 FROM connections WHERE context = ? AND name = ? AND id <> ?')
  const madeContext = db.prepare('SELECT 1 FROM contexts WHERE path = ?')
  const revision = db.prepare('SELECT revision FROM connections WHERE id = ?')
  const remove = db.prepare('DELETE FROM connections WHERE id = ?')
  const forgetTokens = db.prepare('DELETE FROM connection_tokens WHERE connection_id = ?')
  const add = db.prepare(
    `INSERT INTO connections (${CONNECTION_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  )

  function refusalOf(
    { id, name, context }: StoredConnection,
    { isContextMade = false }: ConnectionPlace
  ): ConnectionResult | undefined {
    if (isContextMade && madeContext.get(context) === undefined) return 'context_gone'
    return namesake.get(context, name, id) === undefined ? undefined : 'name_taken'
  }

  return {
    list: async () => (list.all() as unknown as ConnectionRow[]).map(storedConnection),
    create: (connection, place = {}) =>
      commit.write(() => {
        const refusal = refusalOf(connection, place)
        if (refusal !== undefined) return refusal
        add.run(...connectionValues(connection))
        return 'done'
      }),
    replace: (connection, place = {}) =>
      commit.write(() => {
        const before = revision.get(connection.id) as { revision: number } | undefined
        if (before?.revision !== connection.revision - 1) return 'stale'
        const refusal = refusalOf(connection, place)
        if (refusal !== undefined) return refusal
        remove.run(connection.id)
        add.run(...connectionValues(connection))
        return 'done'
      }),
    remove: (id) =>
      commit.write(() => {
        forgetTokens.run(id)
        return remove.run(id).changes !== 0
      })
  }
}
