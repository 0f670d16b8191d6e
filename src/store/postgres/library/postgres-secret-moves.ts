import { SECRET_FIELD, type SecretMoves } from '../../secret-moves.ts'
import type { LibraryWrites } from './library-writes.ts'

/** What this version writes of itself: from 1 on, a process takes signing secrets from connections. */
export const PROCESS_LEVEL = 1

export function createSecretMoves(writes: LibraryWrites): SecretMoves {
  const { db } = writes
  return {
    async mayMove() {
      const others = await db.query(
        `SELECT 1 FROM millrace.processes
         WHERE level < ${PROCESS_LEVEL} AND seen_at > now() - interval '1 minute' LIMIT 1`
      )
      return others.length === 0
    },
    async pending() {
      const rows = await db.query<{ flow_id: string; version: number | null; document: string }>(
        `SELECT flow_id, version, document FROM millrace.flow_versions
         WHERE position($1 IN document) > 0
           AND NOT (SELECT secrets_moved FROM millrace.installation)
         UNION ALL
         SELECT flow_id, NULL, document FROM millrace.flow_drafts WHERE position($1 IN document) > 0
         ORDER BY flow_id, version DESC NULLS LAST`,
        [SECRET_FIELD]
      )
      return rows.map(({ flow_id: flowId, version, document }) => ({ flowId, version, document }))
    },
    // The other processes have the flow in memory, and read it again.
    rewrite: ({ flowId, version, document: before }, document) =>
      writes.write('flows', async (query, revision) => {
        if (version === null) {
          const drafts = await query(
            'UPDATE millrace.flow_drafts SET document = $3 WHERE flow_id = $1 AND document = $2 RETURNING flow_id',
            [flowId, before, document]
          )
          return drafts.length > 0
        }
        const rewritten = await query(
          `UPDATE millrace.flow_versions SET document = $4
           WHERE flow_id = $1 AND version = $2 AND document = $3 RETURNING version`,
          [flowId, version, before, document]
        )
        if (rewritten.length === 0) return false
        await query('UPDATE millrace.flows SET revision = $2 WHERE id = $1', [flowId, revision])
        return true
      }),
    async finish() {
      await db.query('UPDATE millrace.installation SET secrets_moved = true WHERE NOT secrets_moved')
    }
  }
}
