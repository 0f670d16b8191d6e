import { copiedParts } from '../copy/parts.ts'
import type { FlowBinStore } from '../flow-standing.ts'
import { type RemovedRow, removedFlow } from '../rows/flow-row.ts'
import { flowRows } from './flow-rows.ts'
import { anyRow, type LibraryDatabase, type LibrarySteps, rows } from './library-database.ts'

const hasVersions = 'EXISTS (SELECT 1 FROM flow_versions v WHERE v.flow_id = f.id)'
const oldText = `SELECT id FROM flows f WHERE deleted_at < ? AND ${hasVersions} ORDER BY deleted_at, id LIMIT ?`

/**
 * All that a flow leaves but for its row, which keeps its id from being given again. No part tells of rehearsals, since
 * they are not copied.
 */
const TABLES = [
  'flow_rehearsals',
  ...copiedParts.filter(({ key }) => key[0] === 'flow_id').map(({ name }) => name)
]

export function createFlowBin(db: LibraryDatabase): FlowBinStore {
  const binText = `
    ${flowRows(db.dialect, 'f.deleted_at, f.deleted_by')}
    WHERE f.deleted_at IS NOT NULL AND (f.deleted_at, f.id) < (?, ?)
    ORDER BY f.deleted_at DESC, f.id DESC LIMIT ?`
  const removedText = `
    SELECT 1 FROM flows f WHERE id = ? AND deleted_at IS NOT NULL AND ${hasVersions}${db.dialect.forUpdate}`

  function* purge(id: string): LibrarySteps<boolean> {
    if (!(yield* anyRow(removedText, id))) return false
    for (const table of TABLES) yield* rows(`DELETE FROM ${table} WHERE flow_id = ?`, id)
    return true
  }

  return {
    async bin({ after, limit }) {
      const { deletedAt, id } = after ?? { deletedAt: Number.MAX_SAFE_INTEGER, id: '' }
      return (await db.read(() => rows<RemovedRow>(binText, deletedAt, id, limit))).map(removedFlow)
    },
    removedBefore: async (at, limit) =>
      (await db.read(() => rows<{ id: string }>(oldText, at, limit))).map(({ id }) => id),
    purge: (id) => db.writeUnheld(() => purge(id))
  }
}
