import type { DatabaseSync } from 'node:sqlite'
import type { KeyStore, StoredKey } from '../store.ts'
import type { GroupCommit } from './group-commit.ts'

interface KeyRow {
  readonly id: string
  readonly name: string
  readonly hash: string
  readonly hint: string
  readonly rights: string
  readonly flow_id: string | null
  readonly context: string | null
  readonly created_at: number
  readonly expires_at: number | null
  readonly last_used_at: number | null
}

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

function storedKey(row: KeyRow): StoredKey {
  return {
    id: row.id,
    name: row.name,
    hash: row.hash,
    hint: row.hint,
    rights: JSON.parse(row.rights) as string[],
    flowId: row.flow_id,
    context: row.context,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at
  }
}
