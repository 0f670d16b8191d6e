import type { DatabaseSync } from 'node:sqlite'
import type { ContextMove, ContextResult, ContextStore, StoredContext } from '../../contexts.ts'
import type { GroupCommit } from '../file/group-commit.ts'
import { prepareKeptOfContexts } from './sqlite-kept-store.ts'

interface ContextRow {
  readonly id: string
  readonly path: string
  readonly created_at: number
  readonly settings: string
  readonly variables: string
}

export function createContextStore(db: DatabaseSync, commit: GroupCommit): ContextStore {
  const list = db.prepare('SELECT * FROM contexts ORDER BY path')
  const find = db.prepare('SELECT path FROM contexts WHERE id = ?')
  const refusalOf = prepareRefusal(db)
  const isInhabited = prepareInhabited(db)
  const remove = db.prepare('DELETE FROM contexts WHERE id = ?')
  const kept = prepareKeptOfContexts(db)
  const add = db.prepare(
    'INSERT INTO contexts (id, path, created_at, settings, variables) VALUES (?, ?, ?, ?, ?)'
  )

  const pathOf = (id: string) => (find.get(id) as { path: string } | undefined)?.path

  return {
    list: async () => (list.all() as unknown as ContextRow[]).map(storedContext),
    put: (contexts, move = {}) =>
      commit.write(() => {
        const refusal = refusalOf(contexts, move)
        if (refusal !== undefined) return refusal
        kept.move(contexts.map(({ id, path }) => ({ from: pathOf(id), to: path })))
        // Taken out first, all of them: while a subtree moves, one may go where another still stands.
        for (const { id } of contexts) remove.run(id)
        for (const { id, path, createdAt, settings, variables } of contexts) {
          add.run(id, path, createdAt, settings, variables)
        }
        return 'done'
      }),
    remove: (id) =>
      commit.write(() => {
        const path = pathOf(id)
        if (path === undefined) return 'gone'
        if (isInhabited(path, [id])) return 'inhabited'
        remove.run(id)
        kept.remove(path)
        return 'done'
      })
  }
}

function prepareRefusal(db: DatabaseSync) {
  const owner = db.prepare('SELECT id FROM contexts WHERE path = ?')
  const isInhabited = prepareInhabited(db)

  return (
    contexts: readonly StoredContext[],
    { vacates, within }: ContextMove
  ): Exclude<ContextResult, 'done'> | undefined => {
    const ids = contexts.map(({ id }) => id)
    if (within !== undefined && owner.get(within) === undefined) return 'parent_gone'
    if (vacates !== undefined && isInhabited(vacates, ids)) return 'inhabited'
    const isTaken = contexts.some(({ path }) => {
      const found = owner.get(path) as { id: string } | undefined
      return found !== undefined && !ids.includes(found.id)
    })
    return isTaken ? 'path_taken' : undefined
  }
}

/** Looked at in the transaction of the change: a flow that was on its way there a moment ago has arrived, or waits. */
function prepareInhabited(db: DatabaseSync) {
  const isWithin = (column: string) =>
    `(${column} = $path OR substr(${column}, 1, length($path) + 1) = $path || '/')`
  const inhabitants = db.prepare(`
    SELECT EXISTS (SELECT 1 FROM flows WHERE deleted_at IS NULL AND ${isWithin('context')})
      OR EXISTS (SELECT 1 FROM keys WHERE ${isWithin('context')})
      OR EXISTS (SELECT 1 FROM connections WHERE ${isWithin('context')}) AS found`)
  const below = db.prepare(`SELECT id FROM contexts WHERE ${isWithin('path')}`)

  return (path: string, apart: readonly string[]): boolean =>
    (inhabitants.get({ $path: path }) as { found: number }).found === 1 ||
    below.all({ $path: path }).some(({ id }) => !apart.includes(id as string))
}

function storedContext(row: ContextRow): StoredContext {
  const { id, path, settings, variables } = row
  return { id, path, settings, variables, createdAt: row.created_at }
}
