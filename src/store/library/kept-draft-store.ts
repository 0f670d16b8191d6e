import {
  type KeptBecause,
  type KeptDraft,
  type KeptDraftStore,
  type KeptDraftSummary,
  MOST_KEPT_DRAFTS
} from '../kept-drafts.ts'
import { type DraftRow, draftColumns, storedDraft } from '../rows/draft-row.ts'
import {
  firstRow,
  type LibraryDatabase,
  type LibrarySteps,
  rows,
  type SqlDialect
} from './library-database.ts'

const SUMMARY = 'number, base_version, author, updated_at, because'
const addText = `INSERT INTO flow_kept_drafts (flow_id, ${SUMMARY}, document) VALUES (?, ?, ?, ?, ?, ?, ?)`
const listText = `SELECT ${SUMMARY} FROM flow_kept_drafts WHERE flow_id = ? ORDER BY number DESC`
const pruneText = 'DELETE FROM flow_kept_drafts WHERE flow_id = ? AND number <= ?'

/** No process holds them in memory, so nobody else has to bring them in. */
export function createKeptDraftStore(db: LibraryDatabase): KeptDraftStore {
  const { dialect } = db
  const readText = `
    SELECT ${SUMMARY}, ${dialect.longText('document')} FROM flow_kept_drafts WHERE flow_id = ? AND number = ?`

  function* keepHeld(flowId: string, because: KeptBecause): LibrarySteps<KeptDraftSummary | undefined> {
    // Held, so that no two of them take the same number.
    yield* rows(`SELECT 1 FROM flows WHERE id = ?${dialect.forUpdate}`, flowId)
    return yield* keepDraft(dialect, flowId, because)
  }

  return {
    keep: (flowId, because) => db.writeUnheld(() => keepHeld(flowId, because)),
    ofFlow: async (flowId) => (await db.read(() => rows<SummaryRow>(listText, flowId))).map(summaryOf),
    async read(flowId, number) {
      const row = await db.read(() => firstRow<KeptDraftRow>(readText, flowId, number))
      return row && keptDraft(row)
    }
  }
}

/** Within a transaction that holds the flow. */
export function* keepDraft(
  dialect: SqlDialect,
  flowId: string,
  because: KeptBecause
): LibrarySteps<KeptDraftSummary | undefined> {
  const { longText } = dialect
  const draftText = `SELECT ${draftColumns(longText)} FROM flow_drafts WHERE flow_id = ?`
  const draft = storedDraft(yield* firstRow<DraftRow>(draftText, flowId))
  if (draft === undefined) return undefined
  const lastText = `
    SELECT ${SUMMARY}, ${longText('document')} FROM flow_kept_drafts
    WHERE flow_id = ? ORDER BY number DESC LIMIT 1`
  const last = yield* firstRow<KeptDraftRow>(lastText, flowId)
  if (last?.document === draft.document) return summaryOf(last)
  const { baseVersion, author, updatedAt, document } = draft
  const number = (last?.number ?? 0) + 1
  yield* rows(addText, flowId, number, baseVersion, author, updatedAt, because, document)
  yield* rows(pruneText, flowId, number - MOST_KEPT_DRAFTS)
  return { number, baseVersion, author, updatedAt, because }
}

/** A row of flow_kept_drafts, in either database. */
interface SummaryRow {
  readonly number: number
  readonly base_version: number
  readonly author: string | null
  readonly updated_at: number
  readonly because: KeptBecause
}

interface KeptDraftRow extends SummaryRow {
  readonly document: string
}

function summaryOf(row: SummaryRow): KeptDraftSummary {
  const { number, base_version: baseVersion, author, updated_at: updatedAt, because } = row
  return { number, baseVersion, author, updatedAt, because }
}

function keptDraft(row: KeptDraftRow): KeptDraft {
  return { ...summaryOf(row), document: row.document }
}
