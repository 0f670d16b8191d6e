import type { ContextMove, ContextResult, ContextStore, StoredContext } from '../../contexts.ts'
import type { Query } from '../database/database.ts'
import type { LibraryWrites } from './library-writes.ts'
import { moveKept, removeKept } from './postgres-kept-store.ts'

interface ContextRow {
  readonly id: string
  readonly path: string
  readonly created_at: number
  readonly settings: string
  readonly variables: string
}

const addText = `
  INSERT INTO millrace.contexts (id, path, created_at, settings, variables)
  SELECT * FROM json_to_recordset($1::json) AS c (id text, path text, created_at bigint, settings text, variables text)`

export function createContextStore(writes: LibraryWrites): ContextStore {
  const { db } = writes
  return {
    async list() {
      const rows = await db.query<ContextRow>('SELECT * FROM millrace.contexts ORDER BY path')
      return rows.map(storedContext)
    },
    put(contexts, move = {}) {
      const ids = contexts.map(({ id }) => id)
      const rows = contexts.map(({ createdAt, ...rest }) => ({ ...rest, created_at: createdAt }))
      return writes.write('contexts', async (query) => {
        const refusal = await refusalOf(query, contexts, move)
        if (refusal !== undefined) return refusal
        const known = await pathsOf(query, ids)
        await moveKept(
          query,
          contexts.map(({ id, path }) => ({ from: known.get(id), to: path }))
        )
        // Taken out first, all of them: while a subtree moves, one may go where another still stands.
        await query('DELETE FROM millrace.contexts WHERE id = ANY ($1::text[])', [ids])
        await query(addText, [JSON.stringify(rows)])
        return 'done'
      })
    },
    remove: (id) =>
      writes.write('contexts', async (query) => {
        const path = (await pathsOf(query, [id])).get(id)
        if (path === undefined) return 'gone'
        if (await isInhabited(query, path, [id])) return 'inhabited'
        await query('DELETE FROM millrace.contexts WHERE id = $1', [id])
        await removeKept(query, path)
        return 'done'
      })
  }
}

async function pathsOf(query: Query, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await query<{ id: string; path: string }>(
    'SELECT id, path FROM millrace.contexts WHERE id = ANY ($1::text[])',
    [ids]
  )
  return new Map(rows.map(({ id, path }) => [id, path]))
}

async function refusalOf(
  query: Query,
  contexts: readonly StoredContext[],
  { vacates, within }: ContextMove
): Promise<Exclude<ContextResult, 'done'> | undefined> {
  const ids = contexts.map(({ id }) => id)
  const owners = 'SELECT 1 FROM millrace.contexts WHERE path = ANY ($1::text[]) AND NOT id = ANY ($2::text[])'
  if (within !== undefined && (await query(owners, [[within], []])).length === 0) return 'parent_gone'
  if (vacates !== undefined && (await isInhabited(query, vacates, ids))) return 'inhabited'
  const paths = contexts.map(({ path }) => path)
  return (await query(owners, [paths, ids])).length > 0 ? 'path_taken' : undefined
}

const isWithin = (column: string) => `(${column} = $1 OR starts_with(${column}, $1 || '/'))`
const inhabitants = `
  SELECT 1 FROM millrace.flows WHERE deleted_at IS NULL AND ${isWithin('context')}
  UNION ALL SELECT 1 FROM millrace.keys WHERE ${isWithin('context')}
  UNION ALL SELECT 1 FROM millrace.connections WHERE ${isWithin('context')}
  UNION ALL SELECT 1 FROM millrace.contexts WHERE ${isWithin('path')} AND NOT id = ANY ($2::text[])
  LIMIT 1`

/**
 * Whoever puts a flow, a key or a connection anywhere holds the row of that part until it is there. With all rows in hand none is
 * on its way, and those that come after find the context as it is by then.
 */
async function isInhabited(query: Query, path: string, apart: readonly string[]): Promise<boolean> {
  await query(
    `SELECT 1 FROM millrace.revisions WHERE name IN ('flows', 'keys', 'connections') ORDER BY name FOR UPDATE`
  )
  return (await query(inhabitants, [path, apart])).length > 0
}

function storedContext({ id, path, settings, variables, created_at }: ContextRow): StoredContext {
  return { id, path, settings, variables, createdAt: created_at }
}
