import type { DatabaseSync } from 'node:sqlite'
import type { SignInLink, SignInStore } from '../../credentials.ts'
import type { GroupCommit } from '../file/group-commit.ts'

interface LinkRow {
  readonly hash: string
  readonly key_id: string
  readonly expires_at: number
}

export function createSignInStore(db: DatabaseSync, commit: GroupCommit): SignInStore {
  const propose = db.prepare(
    'INSERT INTO session_secret (only_row, secret) VALUES (1, ?) ON CONFLICT DO NOTHING'
  )
  const secret = db.prepare('SELECT secret FROM session_secret')
  const put = db.prepare('INSERT INTO sign_in_links (hash, key_id, expires_at) VALUES (?, ?, ?)')
  const forget = db.prepare('DELETE FROM sign_in_links WHERE expires_at < ?')
  const take = db.prepare('DELETE FROM sign_in_links WHERE hash = ? RETURNING hash, key_id, expires_at')

  const endSession = db.prepare(
    'INSERT INTO ended_sessions (id, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING'
  )
  const forgetSessions = db.prepare('DELETE FROM ended_sessions WHERE expires_at < ?')
  const endedSessions = db.prepare('SELECT id FROM ended_sessions')

  const readSecret = () => (secret.get() as { secret: string } | undefined)?.secret

  return {
    secret: async (proposed) =>
      // Every start asks, and only the first has anything to write.
      readSecret() ??
      commit.write(() => {
        propose.run(proposed)
        return readSecret()!
      }),
    put: ({ hash, keyId, expiresAt }, forgetBefore) =>
      commit.write(() => {
        forget.run(forgetBefore)
        put.run(hash, keyId, expiresAt)
      }),
    take: (hash) => commit.write(() => signInLink(take.get(hash) as unknown as LinkRow | undefined)),
    endSession: ({ id, expiresAt }, forgetBefore) =>
      commit.write(() => {
        forgetSessions.run(forgetBefore)
        endSession.run(id, expiresAt)
      }),
    endedSessions: async () => (endedSessions.all() as { id: string }[]).map(({ id }) => id)
  }
}

function signInLink(row: LinkRow | undefined): SignInLink | undefined {
  return row && { hash: row.hash, keyId: row.key_id, expiresAt: row.expires_at }
}
