import type { DraftRemoval, DraftResult, DraftSave, DraftStore, StoredDraft } from '../../drafts.ts'
import {
  DRAFT_COLUMNS,
  type DraftRow,
  draftValues,
  judgeDraftSave,
  storedDraft
} from '../../rows/draft-row.ts'
import type { Query } from '../database/database.ts'
import { storableText } from '../database/storable-text.ts'
import type { LibraryWrites } from './library-writes.ts'

const writeText = `
  INSERT INTO millrace.flow_drafts (${DRAFT_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (flow_id) DO UPDATE SET revision = excluded.revision, base_version = excluded.base_version,
    author = excluded.author, created_at = excluded.created_at, updated_at = excluded.updated_at,
    document = excluded.document`

const someText = `
  SELECT ${DRAFT_COLUMNS} FROM millrace.flow_drafts WHERE flow_id = ANY($1::text[]) AND document IS NOT NULL`

/** No process holds drafts in memory, so nobody else has to bring them in. */
export function createDraftStore(writes: LibraryWrites): DraftStore {
  const { db } = writes
  const write = <T>(body: (query: Query) => Promise<T>) => writes.inTurn(() => db.transaction(body))
  return {
    find: async (flowId) => storedDraft(await readDraft(db.query, flowId)),
    ofFlows: async (flowIds) =>
      (await db.query<DraftRow>(someText, [flowIds])).map((row) => storedDraft(row)!),
    save: (save) => {
      const { document, author } = save
      const storable = {
        ...save,
        document: storableText(document),
        author: author === null ? null : storableText(author)
      }
      return write((query) => saveDraft(query, storable))
    },
    remove: (flowId, revision) =>
      write(async (query) => {
        await isLive(query, flowId)
        return removeDraft(query, flowId, revision)
      })
  }
}

async function saveDraft(query: Query, save: DraftSave): Promise<DraftResult> {
  if (!(await isLive(query, save.flowId))) return { won: false, because: 'gone' }
  const judged = judgeDraftSave(await readDraft(query, save.flowId), save)
  if (judged.won !== undefined) return judged
  await writeDraft(query, judged.draft)
  return { won: true, draft: judged.draft }
}

/** Who asks holds the flow until the end of the transaction: saves of it and of its draft come one after the other. */
async function isLive(query: Query, flowId: string): Promise<boolean> {
  const text = 'SELECT deleted_at FROM millrace.flows WHERE id = $1 FOR NO KEY UPDATE'
  const [row] = await query<{ deleted_at: number | null }>(text, [flowId])
  return row !== undefined && row.deleted_at === null
}

export async function readDraft(query: Query, flowId: string): Promise<DraftRow | undefined> {
  const text = `SELECT ${DRAFT_COLUMNS} FROM millrace.flow_drafts WHERE flow_id = $1`
  return (await query<DraftRow>(text, [flowId]))[0]
}

export async function writeDraft(query: Query, draft: StoredDraft): Promise<void> {
  await query(writeText, draftValues(draft))
}

export async function removeDraft(query: Query, flowId: string, revision?: number): Promise<DraftRemoval> {
  const draft = storedDraft(await readDraft(query, flowId))
  if (draft === undefined) return 'none'
  if (revision !== undefined && draft.revision !== revision) return 'stale'
  await query('UPDATE millrace.flow_drafts SET document = NULL WHERE flow_id = $1', [flowId])
  return 'removed'
}
