import { type FlowRow, flowColumns, storedFlow } from '../rows/flow-row.ts'
import type { StoredFlow } from '../store.ts'
import { firstRow, type LibrarySteps, type SqlDialect } from './library-database.ts'

/** Flows at their live versions, with their aliases; `columns` come first. */
export function flowRows({ jsonList, longText }: SqlDialect, columns = 'f.id'): string {
  return `
    SELECT ${columns}, ${flowColumns(longText)}, (
      SELECT ${jsonList('a.slug')} FROM (
        SELECT slug FROM flow_aliases WHERE flow_id = f.id ORDER BY since, slug
      ) a
    ) AS aliases
    FROM flows f JOIN flow_versions v ON v.flow_id = f.id AND v.version = f.version`
}

/** Of a flow that is there. */
export function* readFlow(dialect: SqlDialect, id: string): LibrarySteps<StoredFlow> {
  return storedFlow((yield* firstRow<FlowRow>(`${flowRows(dialect)} WHERE f.id = ?`, id))!)
}
