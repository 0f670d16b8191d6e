import { anyRow, type LibraryDatabase, type LibrarySteps } from './library-database.ts'

interface BesideFlow {
  readonly table: 'flow_expectations' | 'flow_comments'
  readonly flowId: string
  /** A flow has so many. */
  readonly most: number
}

/** Adds a row to what stands beside a flow that is live, as long as there is room. */
export function* addBesideFlow(
  { dialect }: LibraryDatabase,
  { table, flowId, most }: BesideFlow,
  insert: () => LibrarySteps<unknown>
): LibrarySteps<'added' | 'gone' | 'full'> {
  // Held until the end of the transaction: it may be deleted in this moment, and others may add to it.
  const liveFlow = `SELECT 1 FROM flows WHERE id = ? AND deleted_at IS NULL${dialect.forUpdate}`
  if (!(yield* anyRow(liveFlow, flowId))) return 'gone'
  const last = `SELECT 1 FROM ${table} WHERE flow_id = ? LIMIT 1 OFFSET ?`
  if (yield* anyRow(last, flowId, most - 1)) return 'full'
  yield* insert()
  return 'added'
}

export function removeBesideFlow(
  table: BesideFlow['table'],
  flowId: string,
  id: string
): LibrarySteps<boolean> {
  return anyRow(`DELETE FROM ${table} WHERE flow_id = ? AND id = ? RETURNING id`, flowId, id)
}
