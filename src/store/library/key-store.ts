import type { KeyStore, MayGo, StoredKey } from '../credentials.ts'
import { type KeyRow, storedKey } from '../rows/key-row.ts'
import { type LibraryDatabase, type LibrarySteps, rows } from './library-database.ts'

export function createKeyStore(db: LibraryDatabase): KeyStore {
  return {
    list: () => db.read(listKeys),
    put: (key) => db.write('keys', () => put(key)),
    remove: (id, mayGo = () => true) => db.write('keys', () => remove(id, mayGo)),
    async touch(used) {
      // Nobody has to read the keys again for it.
      if (used.size > 0) await db.writeUnheld(() => touch(used))
    }
  }
}

export function* listKeys(): LibrarySteps<StoredKey[]> {
  return (yield* rows<KeyRow>('SELECT * FROM keys ORDER BY created_at, id')).map(storedKey)
}

const putText = `
  INSERT INTO keys (id, name, hash, hint, rights, flow_id, context, created_at, expires_at, last_used_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, hash = excluded.hash, hint = excluded.hint,
    rights = excluded.rights, flow_id = excluded.flow_id, context = excluded.context,
    created_at = excluded.created_at, expires_at = excluded.expires_at, last_used_at = excluded.last_used_at`

function* put(key: StoredKey): LibrarySteps<void> {
  const { id, name, hash, hint, flowId, context, createdAt, expiresAt, lastUsedAt } = key
  const rights = JSON.stringify(key.rights)
  yield* rows(putText, id, name, hash, hint, rights, flowId, context, createdAt, expiresAt, lastUsedAt)
}

/** Two processes that each remove the last but one would leave none: the second one sees what the first has done. */
function* remove(id: string, mayGo: MayGo): LibrarySteps<'removed' | 'refused' | 'unknown'> {
  const keys = yield* listKeys()
  const key = keys.find((each) => each.id === id)
  if (key === undefined) return 'unknown'
  if (
    !mayGo(
      key,
      keys.filter((other) => other !== key)
    )
  )
    return 'refused'
  yield* rows('DELETE FROM keys WHERE id = ?', id)
  return 'removed'
}

/** Only forward: reports of use may arrive late. In the order of their ids: two processes must not wait for each other. */
function* touch(used: ReadonlyMap<string, number>): LibrarySteps<void> {
  const forward = 'UPDATE keys SET last_used_at = ? WHERE id = ? AND coalesce(last_used_at, 0) < ?'
  for (const [id, at] of [...used].sort(([a], [b]) => (a < b ? -1 : 1))) yield* rows(forward, at, id, at)
}
