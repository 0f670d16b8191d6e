import { flowRows } from '../../library/flow-rows.ts'
import type { SqlDialect } from '../../library/library-database.ts'
import { type FlowRow, storedFlow } from '../../rows/flow-row.ts'
import type { FlowNews } from '../../shared-store.ts'
import type { Query } from '../database/database.ts'
import { readRevisions } from './library-writes.ts'

/** The count is read first: all that it counts is visible by then. */
export async function flowsSince(query: Query, dialect: SqlDialect, revision: number): Promise<FlowNews> {
  const { flows } = await readRevisions(query)
  // Without their versions, which may be gone for good. First, so that one that is undeleted meanwhile is live in the end.
  const removed = await query<{ id: string }>(
    'SELECT id FROM flows WHERE revision > $1 AND deleted_at IS NOT NULL ORDER BY revision',
    [revision]
  )
  const live = await query<FlowRow>(
    `${flowRows(dialect)} WHERE f.revision > $1 AND f.deleted_at IS NULL ORDER BY f.revision`,
    [revision]
  )
  return { revision: flows, live: live.map(storedFlow), removed: removed.map(({ id }) => id) }
}
