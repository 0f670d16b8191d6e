import type { DraftFate, DraftResult, DraftSave, StoredDraft } from '../drafts.ts'
import type { FlowSave } from '../store.ts'

/** A draft as both stores have it. One that is gone leaves its row, without a document, for the number. */
export interface DraftRow {
  readonly flow_id: string
  readonly revision: number
  readonly base_version: number
  readonly author: string | null
  readonly created_at: number
  readonly updated_at: number
  readonly document: string | null
}

const FACTS = 'flow_id, revision, base_version, author, created_at, updated_at'
export const DRAFT_COLUMNS = `${FACTS}, document`
export const draftColumns = (longText: (column: string) => string) => `${FACTS}, ${longText('document')}`

export function storedDraft(row: DraftRow | undefined): StoredDraft | undefined {
  if (row === undefined || row.document === null) return undefined
  return {
    flowId: row.flow_id,
    revision: row.revision,
    baseVersion: row.base_version,
    document: row.document,
    author: row.author,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  }
}

/** What a save comes to, by the row that is there: an answer at once, or the draft to be written. */
export function judgeDraftSave(
  row: DraftRow | undefined,
  save: DraftSave
): DraftResult | { readonly won: undefined; readonly draft: StoredDraft } {
  const before = storedDraft(row)
  if (before?.document === save.document && before.baseVersion === save.baseVersion)
    return { won: true, draft: before }
  if ((before?.revision ?? 0) !== save.revision) return { won: false, because: 'stale', draft: before }
  const { flowId, baseVersion, document, author, at } = save
  const revision = (row?.revision ?? 0) + 1
  const createdAt = before?.createdAt ?? at
  return {
    won: undefined,
    draft: { flowId, revision, baseVersion, document, author, createdAt, updatedAt: at }
  }
}

/** In the order of the columns. */
export function draftValues(draft: StoredDraft): (string | number | null)[] {
  const { flowId, revision, baseVersion, author, createdAt, updatedAt, document } = draft
  return [flowId, revision, baseVersion, author, createdAt, updatedAt, document]
}

/** The draft to be written with a save of its flow: null where it is gone, undefined where it stays as it is. */
export function draftAfterSave(
  row: DraftRow | undefined,
  { id: flowId, draft: fate, at }: FlowSave,
  version: number
): StoredDraft | null | undefined | 'stale' {
  const before = storedDraft(row)
  switch (fate?.kind) {
    case undefined:
      return undefined
    case 'discarded':
      return before === undefined ? undefined : null
    case 'publishes':
      return before?.revision === fate.revision ? null : 'stale'
    case 'comesBack':
      return {
        ...(before ?? returned(fate, flowId, at)),
        revision: (row?.revision ?? 0) + 1,
        baseVersion: version
      }
  }
}

function returned(
  { document, author }: Extract<DraftFate, { kind: 'comesBack' }>,
  flowId: string,
  at: number
): Omit<StoredDraft, 'revision' | 'baseVersion'> {
  return { flowId, document, author, createdAt: at, updatedAt: at }
}
