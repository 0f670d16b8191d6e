import type { TokenStore } from '../../connections.ts'
import { storedTokens, type TokenRow } from '../../rows/token-row.ts'
import type { Query } from '../database/database.ts'

/** Nobody holds tokens in memory without looking here, so nobody is told of them. */
export function createTokenStore(query: Query): TokenStore {
  return {
    async list() {
      const rows = await query<TokenRow>('SELECT * FROM millrace.connection_tokens ORDER BY connection_id')
      return rows.map(storedTokens)
    },
    async find(connectionId) {
      const [row] = await query<TokenRow>(
        'SELECT * FROM millrace.connection_tokens WHERE connection_id = $1',
        [connectionId]
      )
      return row && storedTokens(row)
    },
    async write({ connectionId, tokens, holder, heldUntil, revision }) {
      // The connection is locked, so that it is not deleted between the look and the write.
      const written = await query(
        `WITH connection AS (SELECT id FROM millrace.connections WHERE id = $1 FOR SHARE)
         INSERT INTO millrace.connection_tokens AS t (connection_id, tokens, holder, held_until, revision)
         SELECT id, $2, $3, $4::bigint, $5::integer FROM connection
         WHERE $5::integer = 1 OR EXISTS (SELECT 1 FROM millrace.connection_tokens WHERE connection_id = $1)
         ON CONFLICT (connection_id) DO UPDATE
           SET tokens = excluded.tokens, holder = excluded.holder, held_until = excluded.held_until,
             revision = excluded.revision
           WHERE t.revision = excluded.revision - 1
         RETURNING revision`,
        [connectionId, tokens, holder, heldUntil, revision]
      )
      return written.length > 0
    }
  }
}
