import type { DatabaseSync } from 'node:sqlite'
import type { ContextStore, StoredContext } from '../store.ts'
import type { GroupCommit } from './group-commit.ts'

interface ContextRow {
  readonly id: string
  readonly path: string
  readonly created_at: number
  readonly settings: string
  readonly variables: string
}

export function createContextStore(db: DatabaseSync, commit: GroupCommit): ContextStore {
  const list = db.prepare('SELECT * FROM contexts ORDER BY path')
  const remove = db.prepare('DELETE FROM contexts WHERE id = ?')
  const add = db.prepare(
    'INSERT INTO contexts (id, path, created_at, settings, variables) VALUES (?, ?, ?, ?, ?)'
  )

  return {
    list: async () => (list.all() as unknown as ContextRow[]).map(storedContext),
    put: (contexts) =>
      commit.write(() => {
        // Taken out first, all of them: while a subtree moves, one may go where another still stands.
        for (const { id } of contexts) remove.run(id)
        for (const { id, path, createdAt, settings, variables } of contexts) {
          add.run(id, path, createdAt, settings, variables)
        }
      }),
    remove: (id) => commit.write(() => remove.run(id).changes !== 0)
  }
}

function storedContext(row: ContextRow): StoredContext {
  const { id, path, settings, variables } = row
  return { id, path, settings, variables, createdAt: row.created_at }
}
