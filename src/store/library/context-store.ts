import type { ContextMove, ContextResult, ContextStore, StoredContext } from '../contexts.ts'
import { moveKept, removeKept } from './kept-of-contexts.ts'
import { anyRow, firstRow, type LibraryDatabase, type LibrarySteps, rows } from './library-database.ts'

interface ContextRow {
  readonly id: string
  readonly path: string
  readonly created_at: number
  readonly settings: string
  readonly variables: string
}

const isWithin = (column: string) =>
  `(${column} = CAST(? AS text) OR substr(${column}, 1, length(CAST(? AS text)) + 1) = CAST(? AS text) || '/')`
const inhabitants = `
  SELECT 1 AS found FROM flows WHERE deleted_at IS NULL AND ${isWithin('context')}
  UNION ALL SELECT 1 FROM keys WHERE ${isWithin('context')}
  UNION ALL SELECT 1 FROM connections WHERE ${isWithin('context')}
  UNION ALL SELECT 1 FROM collections WHERE deleted_at IS NULL AND ${isWithin('context')}
  LIMIT 1`
const below = `SELECT id FROM contexts WHERE ${isWithin('path')}`

export function createContextStore(db: LibraryDatabase): ContextStore {
  /** With all parts in hand nothing is on its way into the context, and what comes after finds it as it is by then. */
  function* isInhabited(path: string, apart: readonly string[]): LibrarySteps<boolean> {
    yield* db.keepOthersOut()
    const named = [path, path, path]
    if (yield* anyRow(inhabitants, ...named, ...named, ...named, ...named)) return true
    return (yield* rows<{ id: string }>(below, ...named)).some(({ id }) => !apart.includes(id))
  }

  function* refusalOf(
    contexts: readonly StoredContext[],
    { vacates, within }: ContextMove
  ): LibrarySteps<Exclude<ContextResult, 'done'> | undefined> {
    const ids = contexts.map(({ id }) => id)
    if (within !== undefined && (yield* ownerOf(within)) === undefined) return 'parent_gone'
    if (vacates !== undefined && (yield* isInhabited(vacates, ids))) return 'inhabited'
    for (const { path } of contexts) {
      const owner = yield* ownerOf(path)
      if (owner !== undefined && !ids.includes(owner)) return 'path_taken'
    }
    return undefined
  }

  function* put(contexts: readonly StoredContext[], move: ContextMove): LibrarySteps<ContextResult> {
    const refusal = yield* refusalOf(contexts, move)
    if (refusal !== undefined) return refusal
    const moves = []
    for (const { id, path } of contexts) moves.push({ from: yield* pathOf(id), to: path })
    yield* moveKept(moves)
    // Taken out first, all of them: while a subtree moves, one may go where another still stands.
    for (const { id } of contexts) yield* rows('DELETE FROM contexts WHERE id = ?', id)
    for (const { id, path, createdAt, settings, variables } of contexts) {
      yield* rows(
        'INSERT INTO contexts (id, path, created_at, settings, variables) VALUES (?, ?, ?, ?, ?)',
        ...[id, path, createdAt, settings, variables]
      )
    }
    return 'done'
  }

  function* remove(id: string): LibrarySteps<'done' | 'gone' | 'inhabited'> {
    const path = yield* pathOf(id)
    if (path === undefined) return 'gone'
    if (yield* isInhabited(path, [id])) return 'inhabited'
    yield* rows('DELETE FROM contexts WHERE id = ?', id)
    yield* removeKept(path)
    return 'done'
  }

  return {
    list: () => db.read(list),
    put: (contexts, move = {}) => db.write('contexts', () => put(contexts, move)),
    remove: (id) => db.write('contexts', () => remove(id))
  }
}

function* list(): LibrarySteps<StoredContext[]> {
  const found = yield* rows<ContextRow>('SELECT * FROM contexts ORDER BY path')
  return found.map(({ created_at: createdAt, ...rest }) => ({ ...rest, createdAt }))
}

function* pathOf(id: string): LibrarySteps<string | undefined> {
  return (yield* firstRow<{ path: string }>('SELECT path FROM contexts WHERE id = ?', id))?.path
}

function* ownerOf(path: string): LibrarySteps<string | undefined> {
  return (yield* firstRow<{ id: string }>('SELECT id FROM contexts WHERE path = ?', path))?.id
}
