import type { ContextStore, StoredContext } from '../store.ts'
import type { LibraryWrites } from './library-writes.ts'

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
    async put(contexts) {
      const ids = contexts.map(({ id }) => id)
      const rows = contexts.map(({ createdAt, ...rest }) => ({ ...rest, created_at: createdAt }))
      await writes.write('contexts', async (query) => {
        // Taken out first, all of them: while a subtree moves, one may go where another still stands.
        await query('DELETE FROM millrace.contexts WHERE id = ANY ($1::text[])', [ids])
        await query(addText, [JSON.stringify(rows)])
      })
    },
    remove: (id) =>
      writes.write('contexts', async (query) => {
        return (await query('DELETE FROM millrace.contexts WHERE id = $1 RETURNING id', [id])).length > 0
      })
  }
}

function storedContext({ id, path, settings, variables, created_at }: ContextRow): StoredContext {
  return { id, path, settings, variables, createdAt: created_at }
}
