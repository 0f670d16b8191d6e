import type { DatabaseSync } from 'node:sqlite'
import type { TokenStore } from '../../connections.ts'
import { storedTokens, type TokenRow } from '../../rows/token-row.ts'
import type { GroupCommit } from '../file/group-commit.ts'

export function createTokenStore(db: DatabaseSync, commit: GroupCommit): TokenStore {
  const list = db.prepare('SELECT * FROM connection_tokens ORDER BY connection_id')
  const find = db.prepare('SELECT * FROM connection_tokens WHERE connection_id = ?')
  const connection = db.prepare('SELECT 1 FROM connections WHERE id = ?')
  const put = db.prepare(
    'INSERT OR REPLACE INTO connection_tokens (connection_id, tokens, holder, held_until, revision) VALUES (?, ?, ?, ?, ?)'
  )
  const rowOf = (id: string) => find.get(id) as TokenRow | undefined
  return {
    list: async () => (list.all() as unknown as TokenRow[]).map(storedTokens),
    async find(connectionId) {
      const row = rowOf(connectionId)
      return row && storedTokens(row)
    },
    write: ({ connectionId, tokens, holder, heldUntil, revision }) =>
      commit.write(() => {
        if ((rowOf(connectionId)?.revision ?? 0) !== revision - 1) return false
        if (connection.get(connectionId) === undefined) return false
        put.run(connectionId, tokens, holder, heldUntil, revision)
        return true
      })
  }
}
