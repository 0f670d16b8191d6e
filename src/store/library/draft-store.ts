import type { DraftRemoval, DraftRemove, DraftResult, DraftSave, DraftStore, StoredDraft } from '../drafts.ts'
import {
  DRAFT_COLUMNS,
  type DraftRow,
  draftColumns,
  draftValues,
  judgeDraftSave,
  storedDraft
} from '../rows/draft-row.ts'
import { keepDraft } from './kept-draft-store.ts'
import {
  firstRow,
  type LibraryDatabase,
  type LibrarySteps,
  rows,
  type SqlDialect
} from './library-database.ts'

const writeText = `
  INSERT INTO flow_drafts (${DRAFT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (flow_id) DO UPDATE SET revision = excluded.revision, base_version = excluded.base_version,
    author = excluded.author, created_at = excluded.created_at, updated_at = excluded.updated_at,
    document = excluded.document`

/** No process holds drafts in memory, so nobody else has to bring them in. */
export function createDraftStore(db: LibraryDatabase): DraftStore {
  const { dialect } = db
  const { forUpdate, isListed, longText } = dialect
  const someText = `
    SELECT ${draftColumns(longText)} FROM flow_drafts WHERE ${isListed('flow_id')} AND document IS NOT NULL`

  /** Who asks holds the flow until the end of the transaction: saves of it and of its draft come one after the other. */
  function* isLive(flowId: string): LibrarySteps<boolean> {
    const text = `SELECT deleted_at FROM flows WHERE id = ?${forUpdate}`
    const row = yield* firstRow<{ deleted_at: number | null }>(text, flowId)
    return row !== undefined && row.deleted_at === null
  }

  function* save(sent: DraftSave): LibrarySteps<DraftResult> {
    if (!(yield* isLive(sent.flowId))) return { won: false, because: 'gone' }
    const judged = judgeDraftSave(yield* readDraft(dialect, sent.flowId), sent)
    if (judged.won !== undefined) return judged
    yield* writeDraft(judged.draft)
    return { won: true, draft: judged.draft }
  }

  function* remove(flowId: string, removal: DraftRemove): LibrarySteps<DraftRemoval> {
    yield* isLive(flowId)
    return yield* removeDraft(dialect, flowId, removal)
  }

  return {
    find: async (flowId) => storedDraft(await db.read(() => readDraft(dialect, flowId))),
    ofFlows: async (flowIds) =>
      (await db.read(() => rows<DraftRow>(someText, JSON.stringify(flowIds)))).map(
        (row) => storedDraft(row)!
      ),
    save: (sent) => db.writeUnheld(() => save(sent), sent.document.length),
    remove: (flowId, removal = {}) => db.writeUnheld(() => remove(flowId, removal))
  }
}

export function* readDraft({ longText }: SqlDialect, flowId: string): LibrarySteps<DraftRow | undefined> {
  const text = `SELECT ${draftColumns(longText)} FROM flow_drafts WHERE flow_id = ?`
  return yield* firstRow<DraftRow>(text, flowId)
}

export function* writeDraft(draft: StoredDraft): LibrarySteps<void> {
  yield* rows(writeText, ...draftValues(draft))
}

export function* removeDraft(
  dialect: SqlDialect,
  flowId: string,
  { revision, isKept = true }: DraftRemove
): LibrarySteps<DraftRemoval> {
  const draft = storedDraft(yield* readDraft(dialect, flowId))
  if (draft === undefined) return 'none'
  if (revision !== undefined && draft.revision !== revision) return 'stale'
  if (isKept) yield* keepDraft(dialect, flowId, 'discarded')
  yield* rows('UPDATE flow_drafts SET document = NULL WHERE flow_id = ?', flowId)
  return 'removed'
}
