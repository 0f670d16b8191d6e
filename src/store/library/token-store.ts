import type { StoredTokens, TokenStore } from '../connections.ts'
import { anyRow, firstRow, type LibraryDatabase, type LibrarySteps, rows } from './library-database.ts'

const putText = `
  INSERT INTO connection_tokens (connection_id, tokens, holder, leased_until, revision) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (connection_id) DO UPDATE
    SET tokens = excluded.tokens, holder = excluded.holder, leased_until = excluded.leased_until, revision = excluded.revision
    WHERE connection_tokens.revision = excluded.revision - 1
  RETURNING revision`

/** Nobody holds tokens in memory without looking here, so nobody is told of them. */
export function createTokenStore(db: LibraryDatabase): TokenStore {
  // Locked, so that the connection is not deleted between the look and the write.
  const connection = `SELECT 1 FROM connections WHERE id = ?${db.dialect.forShare}`

  function* write({
    connectionId,
    tokens,
    holder,
    leasedUntil,
    revision
  }: StoredTokens): LibrarySteps<boolean> {
    if (!(yield* anyRow(connection, connectionId))) return false
    if (revision !== 1 && (yield* find(connectionId)) === undefined) return false
    return yield* anyRow(putText, connectionId, tokens, holder, leasedUntil, revision)
  }

  return {
    list: () => db.read(list),
    find: (connectionId) => db.read(() => find(connectionId)),
    write: (tokens) => db.writeUnheld(() => write(tokens))
  }
}

function* list(): LibrarySteps<StoredTokens[]> {
  return (yield* rows<TokenRow>('SELECT * FROM connection_tokens ORDER BY connection_id')).map(storedTokens)
}

function* find(connectionId: string): LibrarySteps<StoredTokens | undefined> {
  const row = yield* firstRow<TokenRow>(
    'SELECT * FROM connection_tokens WHERE connection_id = ?',
    connectionId
  )
  return row && storedTokens(row)
}

/** Tokens of a connection as both stores have them. */
interface TokenRow {
  readonly connection_id: string
  readonly tokens: string
  readonly holder: string | null
  readonly leased_until: number
  readonly revision: number
}

function storedTokens(row: TokenRow): StoredTokens {
  const { connection_id: connectionId, tokens, holder, leased_until: leasedUntil, revision } = row
  return { connectionId, tokens, holder, leasedUntil, revision }
}
