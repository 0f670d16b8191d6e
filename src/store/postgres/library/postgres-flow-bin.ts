import type { FlowBinStore } from '../../flow-standing.ts'
import { type RemovedRow, removedFlow } from '../../rows/flow-row.ts'
import type { LibraryWrites } from './library-writes.ts'
import { flowColumnsWithAliases, flowTables } from './postgres-flow-standing.ts'

const binText = `
  SELECT f.deleted_at, f.deleted_by, ${flowColumnsWithAliases} FROM ${flowTables}
  WHERE f.deleted_at IS NOT NULL AND (f.deleted_at, f.id) < ($1::bigint, $2::text)
  ORDER BY f.deleted_at DESC, f.id DESC LIMIT $3`

const hasVersions = 'EXISTS (SELECT 1 FROM millrace.flow_versions v WHERE v.flow_id = f.id)'

/** All that a flow leaves but for its row, which keeps its id from being given again. */
const TABLES = ['flow_versions', 'flow_drafts', 'flow_pins', 'flow_aliases', 'triggers']

export function createFlowBin(writes: LibraryWrites): FlowBinStore {
  const { db } = writes
  return {
    async bin({ after, limit }) {
      const { deletedAt, id } = after ?? { deletedAt: Number.MAX_SAFE_INTEGER, id: '' }
      return (await db.query<RemovedRow>(binText, [deletedAt, id, limit])).map(removedFlow)
    },
    async removedBefore(at, limit) {
      const rows = await db.query<{ id: string }>(
        `SELECT id FROM millrace.flows f WHERE deleted_at < $1 AND ${hasVersions} ORDER BY deleted_at, id LIMIT $2`,
        [at, limit]
      )
      return rows.map(({ id }) => id)
    },
    purge: (id) =>
      writes.inTurn(() =>
        db.transaction(async (query) => {
          const removed = `SELECT 1 FROM millrace.flows f
            WHERE id = $1 AND deleted_at IS NOT NULL AND ${hasVersions} FOR UPDATE`
          if ((await query(removed, [id])).length === 0) return false
          for (const table of TABLES) await query(`DELETE FROM millrace.${table} WHERE flow_id = $1`, [id])
          return true
        })
      )
  }
}
