import type { DatabaseSync } from 'node:sqlite'
import type { FlowBinStore } from '../../flow-standing.ts'
import { type RemovedRow, removedFlow } from '../../rows/flow-row.ts'
import type { GroupCommit } from '../file/group-commit.ts'
import { flowRowsWith } from './sqlite-flow-standing.ts'

/** All that a flow leaves but for its row, which keeps its id from being given again. */
const TABLES = ['flow_versions', 'flow_drafts', 'flow_pins', 'flow_aliases', 'triggers']

export function createFlowBin(db: DatabaseSync, commit: GroupCommit): FlowBinStore {
  const bin = db.prepare(
    `${flowRowsWith('f.deleted_at, f.deleted_by')} WHERE f.deleted_at IS NOT NULL AND (f.deleted_at, f.id) < (?, ?)
     ORDER BY f.deleted_at DESC, f.id DESC LIMIT ?`
  )
  const old = db.prepare(
    `SELECT id FROM flows f WHERE deleted_at < ?
       AND EXISTS (SELECT 1 FROM flow_versions v WHERE v.flow_id = f.id)
     ORDER BY deleted_at, id LIMIT ?`
  )
  const removed = db.prepare(
    `SELECT 1 FROM flows f WHERE id = ? AND deleted_at IS NOT NULL
       AND EXISTS (SELECT 1 FROM flow_versions v WHERE v.flow_id = f.id)`
  )
  const deletions = TABLES.map((table) => db.prepare(`DELETE FROM ${table} WHERE flow_id = ?`))

  return {
    bin: async ({ after, limit }) => {
      const { deletedAt, id } = after ?? { deletedAt: Number.MAX_SAFE_INTEGER, id: '' }
      return (bin.all(deletedAt, id, limit) as unknown as RemovedRow[]).map(removedFlow)
    },
    removedBefore: async (at, limit) => (old.all(at, limit) as { id: string }[]).map(({ id }) => id),
    purge: (id) =>
      commit.write(() => {
        if (removed.get(id) === undefined) return false
        for (const deletion of deletions) deletion.run(id)
        return true
      })
  }
}
