import {
  type FlowRow,
  flowVersion,
  SUMMARY_COLUMNS,
  storedFlow,
  type VersionRow,
  type VersionSummaryRow,
  versionColumns,
  versionPage
} from '../rows/flow-row.ts'
import type { CreatedAll, FlowStore, NewFlowWithDraft, SaveResult, StoredFlow, Undeletion } from '../store.ts'
import { writeDraft } from './draft-store.ts'
import { createFlowBin } from './flow-bin.ts'
import { flowRows, readFlow } from './flow-rows.ts'
import { createFlowStanding, type RunsOfFlow } from './flow-standing.ts'
import {
  binRefusal,
  createFlow,
  ownersOf,
  refusalOf,
  refused,
  removeFlow,
  saveFlow,
  standing
} from './flow-writes.ts'
import { anyRow, firstRow, type LibraryDatabase, type LibrarySteps, rows } from './library-database.ts'

const summaryRows = `
  SELECT ${SUMMARY_COLUMNS} FROM flow_versions
  WHERE flow_id = ? AND version < ? AND (name IS NOT NULL OR CAST(? AS integer) = 0)
  ORDER BY version DESC LIMIT ?`

/** No version has a larger number: PostgreSQL's integer is no longer. */
const LAST_VERSION = 2 ** 31 - 1

/** A flow's row holds what is live; its documents are in flow_versions, one per save, and stay for good. */
export function createFlowStore(db: LibraryDatabase, runs: RunsOfFlow): FlowStore {
  const { dialect } = db
  const liveText = `${flowRows(dialect)} WHERE f.deleted_at IS NULL ORDER BY f.created_at, f.id`
  const versionText = `SELECT ${versionColumns(dialect.longText)} FROM flow_versions WHERE flow_id = ? AND version = ?`
  const removedText = `${flowRows(dialect)} WHERE f.deleted_at IS NOT NULL AND f.id = ?`
  const write = <T>(steps: (revision: number) => LibrarySteps<T>) => db.write('flows', steps)

  function* createAll(flows: readonly NewFlowWithDraft[], revision: number): LibrarySteps<CreatedAll> {
    // Nothing may be written before all are known to be free: what was written before a refusal would stay.
    for (const flow of flows) {
      const refusal = (yield* refusalOf(flow)) ?? (yield* binRefusal(flow))
      if (refusal !== undefined && !refusal.won) return refusal
    }
    const created: StoredFlow[] = []
    for (const flow of flows) {
      const result = yield* createFlow(dialect, flow, revision)
      if (!result.won) throw new Error(`A flow was free and then refused: ${result.because}`)
      const { id: flowId, draft: document, author, createdAt } = flow
      yield* writeDraft({
        flowId,
        revision: 1,
        baseVersion: 1,
        document,
        author,
        createdAt,
        updatedAt: createdAt
      })
      created.push(result.flow)
    }
    return { won: true, flows: created }
  }

  function* undelete(
    id: string,
    { at, isContextMade, mayTake }: Undeletion,
    revision: number
  ): LibrarySteps<SaveResult> {
    const former = yield* standing(id)
    if (former === undefined || !(yield* hasVersions(id))) return refused('gone')
    if (former.deleted_at === null) return refused('stale')
    const { slug, context, deleted_at: since } = former
    const refusal =
      (yield* refusalOf({ id, slug, context, isContextMade })) ??
      (yield* binRefusal({ id, slug, mayTake, since }))
    if (refusal !== undefined) return refusal
    yield* rows(dropTakenAliases, id, id, id)
    yield* rows(
      'UPDATE flows SET deleted_at = NULL, deleted_by = NULL, triggers_from = ?, revision = ? WHERE id = ?',
      ...[at, revision, id]
    )
    yield* rows(letGoOfFile, id, id)
    return { won: true, flow: yield* readFlow(dialect, id) }
  }

  return {
    ...createFlowStanding(db, runs),
    ...createFlowBin(db),
    live: async () => (await db.read(() => rows<FlowRow>(liveText))).map(storedFlow),
    create: (flow) => write((revision) => createFlow(dialect, flow, revision)),
    createAll: (flows) => write((revision) => createAll(flows, revision)),
    save: (edit) => write((revision) => saveFlow(dialect, edit, revision)),
    remove: (id, at, by) => write((revision) => removeFlow({ id, at, by: by ?? null }, revision)),
    async removed(id) {
      const row = await db.read(() => firstRow<FlowRow>(removedText, id))
      return row && storedFlow(row)
    },
    undelete: (id, undeletion) => write((revision) => undelete(id, undeletion, revision)),
    async versions(id, question) {
      const { limit, before = LAST_VERSION, isNamed = false } = question
      const values = [id, before, isNamed ? 1 : 0, limit + 1]
      return versionPage(await db.read(() => rows<VersionSummaryRow>(summaryRows, ...values)), question)
    },
    async version(id, number) {
      const row = await db.read(() => firstRow<VersionRow>(versionText, id, number))
      return row && flowVersion(row)
    }
  }
}

/** Its file has gone from the folder that is followed: whoever brings it back has a flow like any other, which the folder does not take away again. */
const letGoOfFile = `
  UPDATE flow_versions SET origin = 'saved' WHERE flow_id = ? AND origin = 'file'
    AND version = (SELECT version FROM flows WHERE id = ?)`

const dropTakenAliases = `
  DELETE FROM flow_aliases AS own WHERE own.flow_id = ? AND EXISTS (${ownersOf('own.slug')})`

/** One that is gone for good has none left. */
function* hasVersions(id: string): LibrarySteps<boolean> {
  return yield* anyRow('SELECT 1 FROM flow_versions WHERE flow_id = ? LIMIT 1', id)
}
