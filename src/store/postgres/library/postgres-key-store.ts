import type { KeyStore } from '../../credentials.ts'
import { type KeyRow, storedKey } from '../../rows/key-row.ts'
import { storableText } from '../database/storable-text.ts'
import type { LibraryWrites } from './library-writes.ts'

const putText = `
  INSERT INTO millrace.keys
    (id, name, hash, hint, rights, flow_id, context, created_at, expires_at, last_used_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (id) DO UPDATE SET (name, hash, hint, rights, flow_id, context, created_at, expires_at, last_used_at)
    = ROW (excluded.name, excluded.hash, excluded.hint, excluded.rights, excluded.flow_id, excluded.context,
      excluded.created_at, excluded.expires_at, excluded.last_used_at)`

/** Only forward: reports of use may arrive late. Its own transaction, since nobody has to reload the keys for it. */
const touchText = `
  UPDATE millrace.keys k SET last_used_at = used.at
  FROM unnest($1::text[], $2::bigint[]) AS used (id, at)
  WHERE k.id = used.id AND (k.last_used_at IS NULL OR k.last_used_at < used.at)`

export function createKeyStore(writes: LibraryWrites): KeyStore {
  const { db } = writes
  return {
    async list() {
      const rows = await db.query<KeyRow>('SELECT * FROM millrace.keys ORDER BY created_at, id')
      return rows.map(storedKey)
    },
    async put(key) {
      const { id, hash, hint, flowId, context, createdAt, expiresAt, lastUsedAt } = key
      const facts = [id, storableText(key.name), hash, hint, JSON.stringify(key.rights)]
      const values = [...facts, flowId, context, createdAt, expiresAt, lastUsedAt]
      await writes.write('keys', (query) => query(putText, values))
    },
    remove: (id) =>
      writes.write('keys', async (query) => {
        return (await query('DELETE FROM millrace.keys WHERE id = $1 RETURNING id', [id])).length > 0
      }),
    async touch(used) {
      if (used.size === 0) return
      await writes.inTurn(() => db.query(touchText, [[...used.keys()], [...used.values()]]))
    }
  }
}
