import type { DatabaseSync } from 'node:sqlite'
import type { DraftRemoval, DraftResult, DraftSave, DraftStore, StoredDraft } from '../../drafts.ts'
import {
  DRAFT_COLUMNS,
  type DraftRow,
  draftValues,
  judgeDraftSave,
  storedDraft
} from '../../rows/draft-row.ts'
import type { GroupCommit } from '../file/group-commit.ts'

export function createDraftStore(db: DatabaseSync, commit: GroupCommit): DraftStore {
  const live = db.prepare('SELECT 1 FROM flows WHERE id = ? AND deleted_at IS NULL')
  const some = db.prepare(
    `SELECT ${DRAFT_COLUMNS} FROM flow_drafts
     WHERE flow_id IN (SELECT value FROM json_each(?)) AND document IS NOT NULL`
  )
  const { read, write, remove } = prepareDrafts(db)

  function save(sent: DraftSave): DraftResult {
    if (live.get(sent.flowId) === undefined) return { won: false, because: 'gone' }
    const judged = judgeDraftSave(read(sent.flowId), sent)
    if (judged.won !== undefined) return judged
    write(judged.draft)
    return { won: true, draft: judged.draft }
  }

  return {
    find: async (flowId) => storedDraft(read(flowId)),
    ofFlows: async (flowIds) =>
      (some.all(JSON.stringify(flowIds)) as unknown as DraftRow[]).map((row) => storedDraft(row)!),
    save: (sent) => commit.write(() => save(sent), sent.document.length),
    remove: (flowId, revision) => commit.write(() => remove(flowId, revision))
  }
}

/** What a save of the flow needs too, inside the batch of its own. */
export function prepareDrafts(db: DatabaseSync) {
  const find = db.prepare(`SELECT ${DRAFT_COLUMNS} FROM flow_drafts WHERE flow_id = ?`)
  const empty = db.prepare('UPDATE flow_drafts SET document = NULL WHERE flow_id = ?')
  const write = db.prepare(
    `INSERT OR REPLACE INTO flow_drafts (${DRAFT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`
  )
  const read = (flowId: string) => find.get(flowId) as unknown as DraftRow | undefined

  return {
    read,
    write: (draft: StoredDraft): void => void write.run(...draftValues(draft)),
    remove(flowId: string, revision?: number): DraftRemoval {
      const draft = storedDraft(read(flowId))
      if (draft === undefined) return 'none'
      if (revision !== undefined && draft.revision !== revision) return 'stale'
      empty.run(flowId)
      return 'removed'
    }
  }
}
