import type { SignInStore } from '../../credentials.ts'
import type { LibraryWrites } from './library-writes.ts'

interface LinkRow {
  readonly hash: string
  readonly key_id: string
  readonly expires_at: number
}

export function createSignInStore(writes: LibraryWrites): SignInStore {
  const { db } = writes
  return {
    secret: (proposed) =>
      writes.inTurn(async () => {
        await db.query('INSERT INTO millrace.session_secret (secret) VALUES ($1) ON CONFLICT DO NOTHING', [
          proposed
        ])
        const [row] = await db.query<{ secret: string }>('SELECT secret FROM millrace.session_secret')
        return row!.secret
      }),
    put: ({ hash, keyId, expiresAt }, forgetBefore) =>
      writes.inTurn(() =>
        db.transaction(async (query) => {
          await query('DELETE FROM millrace.sign_in_links WHERE expires_at < $1', [forgetBefore])
          await query('INSERT INTO millrace.sign_in_links (hash, key_id, expires_at) VALUES ($1, $2, $3)', [
            hash,
            keyId,
            expiresAt
          ])
        })
      ),
    take: (hash) =>
      writes.inTurn(async () => {
        const [row] = await db.query<LinkRow>(
          'DELETE FROM millrace.sign_in_links WHERE hash = $1 RETURNING hash, key_id, expires_at',
          [hash]
        )
        return row && { hash: row.hash, keyId: row.key_id, expiresAt: row.expires_at }
      }),
    // With the keys, since sessions end with those too: all processes hold both in memory.
    endSession: ({ id, expiresAt }, forgetBefore) =>
      writes.write('keys', async (query) => {
        await query('DELETE FROM millrace.ended_sessions WHERE expires_at < $1', [forgetBefore])
        await query(
          'INSERT INTO millrace.ended_sessions (id, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
          [id, expiresAt]
        )
      }),
    async endedSessions() {
      const rows = await db.query<{ id: string }>('SELECT id FROM millrace.ended_sessions')
      return rows.map(({ id }) => id)
    }
  }
}
