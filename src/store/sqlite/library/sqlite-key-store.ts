import type { DatabaseSync } from 'node:sqlite'
import type { KeyStore } from '../../credentials.ts'
import { type KeyRow, storedKey } from '../../rows/key-row.ts'
import type { GroupCommit } from '../file/group-commit.ts'

export function createKeyStore(db: DatabaseSync, commit: GroupCommit): KeyStore {
  const list = db.prepare('SELECT * FROM keys ORDER BY created_at, id')
  const put = db.prepare(
    `INSERT OR REPLACE INTO keys
       (id, name, hash, hint, rights, flow_id, context, created_at, expires_at, last_used_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  )
  const remove = db.prepare('DELETE FROM keys WHERE id = ?')
  // Only forward: reports of use may arrive late.
  const touch = db.prepare(
    'UPDATE keys SET last_used_at = ?1 WHERE id = ?2 AND (last_used_at IS NULL OR last_used_at < ?1)'
  )

  return {
    list: async () => (list.all() as unknown as KeyRow[]).map(storedKey),
    put: (key) =>
      commit.write(() => {
        const { id, name, hash, hint, flowId, context, createdAt, expiresAt, lastUsedAt } = key
        const rights = JSON.stringify(key.rights)
        put.run(id, name, hash, hint, rights, flowId, context, createdAt, expiresAt, lastUsedAt)
      }),
    remove: (id) => commit.write(() => remove.run(id).changes !== 0),
    touch: (used) =>
      commit.write(() => {
        for (const [id, at] of used) touch.run(at, id)
      })
  }
}
