import type { SignInLink, SignInStore } from '../credentials.ts'
import { firstRow, type LibraryDatabase, type LibrarySteps, rows } from './library-database.ts'

interface LinkRow {
  readonly hash: string
  readonly key_id: string
  readonly expires_at: number
}

export function createSignInStore(db: LibraryDatabase): SignInStore {
  return {
    // Every start asks, and only the first has anything to write.
    secret: async (proposed) => (await db.read(readSecret)) ?? db.writeUnheld(() => agreeOnSecret(proposed)),
    put: (link, forgetBefore) => db.writeUnheld(() => putLink(link, forgetBefore)),
    take: (hash) => db.writeUnheld(() => takeLink(hash)),
    // With the keys, since sessions end with those too: all processes hold both in memory.
    endSession: (session, forgetBefore) => db.write('keys', () => endSession(session, forgetBefore)),
    endedSessions: async () =>
      (await db.read(() => rows<{ id: string }>('SELECT id FROM ended_sessions'))).map(({ id }) => id)
  }
}

function* readSecret(): LibrarySteps<string | undefined> {
  return (yield* firstRow<{ secret: string }>('SELECT secret FROM session_secret'))?.secret
}

/** The first proposal stays. */
function* agreeOnSecret(proposed: string): LibrarySteps<string> {
  const known = yield* readSecret()
  if (known !== undefined) return known
  yield* rows('INSERT INTO session_secret (secret) VALUES (?) ON CONFLICT DO NOTHING', proposed)
  return (yield* readSecret())!
}

function* putLink({ hash, keyId, expiresAt }: SignInLink, forgetBefore: number): LibrarySteps<void> {
  yield* rows('DELETE FROM sign_in_links WHERE expires_at < ?', forgetBefore)
  yield* rows('INSERT INTO sign_in_links (hash, key_id, expires_at) VALUES (?, ?, ?)', hash, keyId, expiresAt)
}

function* takeLink(hash: string): LibrarySteps<SignInLink | undefined> {
  const take = 'DELETE FROM sign_in_links WHERE hash = ? RETURNING hash, key_id, expires_at'
  const row = yield* firstRow<LinkRow>(take, hash)
  return row && { hash: row.hash, keyId: row.key_id, expiresAt: row.expires_at }
}

function* endSession(
  { id, expiresAt }: Parameters<SignInStore['endSession']>[0],
  forgetBefore: number
): LibrarySteps<void> {
  yield* rows('DELETE FROM ended_sessions WHERE expires_at < ?', forgetBefore)
  yield* rows(
    'INSERT INTO ended_sessions (id, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING',
    id,
    expiresAt
  )
}
