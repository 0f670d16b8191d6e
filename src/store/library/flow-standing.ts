import { mergeCallers } from '../alias-callers.ts'
import type { AliasCalls, FlowStandingStore, Pause } from '../flow-standing.ts'
import { type AliasRow, aliasColumns, aliasOf } from '../rows/flow-row.ts'
import type { FlowSave, StoredFlow } from '../store.ts'
import { readFlow } from './flow-rows.ts'
import { anyRow, firstRow, type LibraryDatabase, type LibrarySteps, rows } from './library-database.ts'

/** The queued runs of a flow. They are not the library's, but are paused and resumed in its transaction. */
export interface RunsOfFlow {
  pause(flowId: string): LibrarySteps<void>
  resume(flowId: string): LibrarySteps<void>
}

export function createFlowStanding(db: LibraryDatabase, runs: RunsOfFlow): FlowStandingStore {
  const { dialect } = db
  const paused = `SELECT 1 FROM flows WHERE id = ? AND paused_mode IS NOT NULL${dialect.forShare}`
  const callersText = `SELECT callers FROM flow_aliases WHERE flow_id = ? AND slug = ?${dialect.forUpdate}`

  /** The flow first: a run that is being accepted as paused has locked its row, and is seen by what follows. */
  function* setPaused(
    id: string,
    { pause, at }: { readonly pause: Pause | null; readonly at: number },
    revision: number
  ): LibrarySteps<StoredFlow | undefined> {
    const { mode = null, since = null, by = null } = pause ?? {}
    const isChanged = yield* anyRow(
      `UPDATE flows SET paused_mode = ?, paused_at = ?, paused_by = ?, revision = ?,
         triggers_from = CASE WHEN paused_mode = 'refuse' THEN ? ELSE triggers_from END
       WHERE id = ? AND deleted_at IS NULL RETURNING id`,
      ...[mode, since, by, revision, at, id]
    )
    if (!isChanged) return undefined
    yield* pause === null ? runs.resume(id) : runs.pause(id)
    return yield* readFlow(dialect, id)
  }

  function* pauseIfPaused(id: string): LibrarySteps<void> {
    if (yield* anyRow(paused, id)) yield* runs.pause(id)
  }

  function* removeAlias(id: string, slug: string, revision: number): LibrarySteps<StoredFlow | undefined> {
    const isRemoved = yield* anyRow(
      `DELETE FROM flow_aliases WHERE flow_id = ? AND slug = ?
         AND EXISTS (SELECT 1 FROM flows WHERE id = ? AND deleted_at IS NULL) RETURNING slug`,
      ...[id, slug, id]
    )
    if (!isRemoved) return undefined
    yield* rows('UPDATE flows SET revision = ? WHERE id = ?', revision, id)
    return yield* readFlow(dialect, id)
  }

  function* addCalls({ flowId, slug, calls, lastCalledAt, callers }: AliasCalls): LibrarySteps<void> {
    const kept = yield* firstRow<{ callers: string }>(callersText, flowId, slug)
    if (kept === undefined) return
    yield* rows(
      `UPDATE flow_aliases SET calls = calls + ?, callers = ?,
         last_called_at = CASE WHEN last_called_at > ? THEN last_called_at ELSE ? END
       WHERE flow_id = ? AND slug = ?`,
      ...[calls, mergeCallers(kept.callers, callers), lastCalledAt, lastCalledAt, flowId, slug]
    )
  }

  return {
    setPaused: (id, pause, at) => db.write('flows', (revision) => setPaused(id, { pause, at }, revision)),
    pauseQueued: (id) => db.writeUnheld(() => pauseIfPaused(id)),
    removeAlias: (id, slug) => db.write('flows', (revision) => removeAlias(id, slug, revision)),
    aliases: async (id) => {
      const text = `SELECT ${aliasColumns} FROM flow_aliases WHERE flow_id = ? ORDER BY since, slug`
      return (await db.read(() => rows<AliasRow>(text, id))).map(aliasOf)
    },
    addAliasCalls: (calls) =>
      db.writeUnheld(function* () {
        for (const each of inOrder(calls)) yield* addCalls(each)
      })
  }
}

/** To be called before the slug is changed. What was an alias and becomes the slug is an alias no longer. */
export function* keepSlug({ id, slug, at, keepsSlug }: FlowSave, former: string): LibrarySteps<void> {
  if (slug === former) return
  yield* rows('DELETE FROM flow_aliases WHERE flow_id = ? AND slug = ?', id, slug)
  if (keepsSlug)
    yield* rows('INSERT INTO flow_aliases (flow_id, slug, since) VALUES (?, ?, ?)', id, former, at)
}

/** Two processes that add to the same rows must not wait for each other. */
function inOrder(calls: readonly AliasCalls[]): AliasCalls[] {
  const place = ({ flowId, slug }: AliasCalls) => `${flowId} ${slug}`
  return calls.toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
}
