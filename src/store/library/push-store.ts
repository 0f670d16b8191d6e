import type { NewFlow, StoredFlow } from '../flow-store.ts'
import type { Push, PushedConnection, PushedContext, PushResult, PushStore } from '../pushes.ts'
import type { LibraryPart } from '../shared-store.ts'
import { replaceConnection } from './connection-store.ts'
import { binRefusal, createFlow, ownersOf, removeFlow, saveFlow, standing } from './flow-writes.ts'
import {
  anyRow,
  firstRow,
  type LibraryDatabase,
  type LibrarySteps,
  type Revisions,
  rows,
  type SqlDialect
} from './library-database.ts'

type Refusal = Exclude<PushResult, { won: true }>

const STALE: Refusal = { won: false, because: 'stale' }

/** Everything is looked at before anything is written: what was written before a refusal would stay. */
export function createPushStore(db: LibraryDatabase): PushStore {
  const { dialect } = db
  return {
    apply: (push) =>
      db.writeParts(partsOf(push), (revisions) => apply(dialect, push, revisions), bytesOf(push))
  }
}

function* apply(
  dialect: SqlDialect,
  push: Push,
  { flows: revision = 0 }: Revisions
): LibrarySteps<PushResult> {
  const refusal = yield* refusalOf(dialect, push)
  if (refusal !== undefined) return refusal
  for (const { context } of push.contexts) {
    const { id, path, createdAt, settings, variables } = context
    yield* rows('DELETE FROM contexts WHERE id = ?', id)
    yield* rows(
      'INSERT INTO contexts (id, path, created_at, settings, variables) VALUES (?, ?, ?, ?, ?)',
      ...[id, path, createdAt, settings, variables]
    )
  }
  for (const { connection, voidsTokens } of push.connections)
    yield* replaceConnection(connection, voidsTokens === true)
  for (const removal of push.removals) yield* removeFlow(removal, revision)
  const flows: StoredFlow[] = []
  for (const flow of push.creates) flows.push(written(yield* createFlow(dialect, flow, revision)))
  for (const edit of push.saves) flows.push(written(yield* saveFlow(dialect, edit, revision)))
  return { won: true, flows }
}

/** An error undoes all of it. */
function written(result: { won: true; flow: StoredFlow } | { won: false; because: string }): StoredFlow {
  if (result.won) return result.flow
  throw new Error(`A flow of a push was free and then refused: ${result.because}`)
}

function* refusalOf(dialect: SqlDialect, push: Push): LibrarySteps<Refusal | undefined> {
  const made = new Set(push.contexts.map(({ context }) => context.path))
  for (const context of push.contexts) if (yield* isContextStale(context)) return STALE
  for (const connection of push.connections) {
    if (yield* isConnectionStale(dialect, connection, made)) return STALE
  }
  for (const { id, version } of [...push.removals, ...push.saves.map(planned)]) {
    const current = yield* standing(id, dialect.forUpdate)
    if (current === undefined || current.deleted_at !== null || current.version !== version) return STALE
  }
  for (const place of [...push.creates, ...push.saves]) {
    if (place.isContextMade === true && !made.has(place.context) && !(yield* hasContext(place.context)))
      return STALE
  }
  const removed = new Set(push.removals.map(({ id }) => id))
  for (const flow of push.creates) {
    const refusal = yield* slugRefusal(flow, removed)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

const planned = ({ id, baseVersion: version }: Push['saves'][number]) => ({ id, version })

/** The slug of a flow that is removed is free. */
function* slugRefusal(flow: NewFlow, removed: ReadonlySet<string>): LibrarySteps<Refusal | undefined> {
  const { id, slug } = flow
  const owners = yield* rows<{ id: string }>(ownersOf('?'), slug, id, slug, id)
  const isTaken = owners.some((owner) => !removed.has(owner.id))
  const isFree = !isTaken && (yield* binRefusal(flow)) === undefined
  return isFree ? undefined : { won: false, because: 'slug_taken', slug }
}

function* isContextStale({ context: { id, path }, before, within }: PushedContext): LibrarySteps<boolean> {
  if (before !== undefined) {
    const text = 'SELECT variables, settings FROM contexts WHERE id = ? AND path = ?'
    const row = yield* firstRow<typeof before>(text, id, path)
    return row?.variables !== before.variables || row.settings !== before.settings
  }
  if (yield* hasContext(path)) return true
  return within !== undefined && !(yield* hasContext(within))
}

function* isConnectionStale(
  { forShare }: SqlDialect,
  { connection, isContextMade }: PushedConnection,
  made: ReadonlySet<string>
): LibrarySteps<boolean> {
  const { id, name, context, revision } = connection
  const before = yield* firstRow<{ revision: number }>('SELECT revision FROM connections WHERE id = ?', id)
  if ((before?.revision ?? 0) !== revision - 1) return true
  const namesake = 'SELECT 1 FROM connections WHERE context = ? AND name = ? AND id <> ?'
  if (yield* anyRow(namesake, context, name, id)) return true
  return isContextMade && !made.has(context) && !(yield* hasContext(context, forShare))
}

function* hasContext(path: string, lock = ''): LibrarySteps<boolean> {
  return yield* anyRow(`SELECT 1 FROM contexts WHERE path = ?${lock}`, path)
}

function partsOf({ contexts, connections, ...flows }: Push): LibraryPart[] {
  const touched = (part: LibraryPart, lists: readonly (readonly unknown[])[]) =>
    lists.some(({ length }) => length > 0) ? [part] : []
  return [
    ...touched('contexts', [contexts]),
    ...touched('connections', [connections]),
    ...touched('flows', [flows.creates, flows.saves, flows.removals])
  ]
}

function bytesOf({ creates, saves }: Push): number {
  return [...creates, ...saves].reduce((sum, { document }) => sum + document.length, 0)
}
