/** What people edit of a flow before it is live. */
export interface StoredDraft {
  readonly flowId: string
  /** Grows for as long as there is the flow, also from one draft to the next: what was edited once is told from all else. */
  readonly revision: number
  /** The live version that it was edited from. */
  readonly baseVersion: number
  /** The document as JSON text. It may have any fault. */
  readonly document: string
  /** The name of the key that saved it last. */
  readonly author: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

export interface DraftSave {
  readonly flowId: string
  /** The revision that was edited; 0 where there was no draft. */
  readonly revision: number
  readonly baseVersion: number
  readonly document: string
  readonly author: string | null
  readonly at: number
}

export type DraftResult =
  | { readonly won: true; readonly draft: StoredDraft }
  /** `draft`: what is there instead; undefined where there is none. */
  | { readonly won: false; readonly because: 'stale'; readonly draft: StoredDraft | undefined }
  /** The flow is not live. */
  | { readonly won: false; readonly because: 'gone' }

/**
 * What becomes of the draft in the moment in which a version of its flow is saved. `publishes`: the save wins only while the draft is at
 * this revision, and it is gone then. `comesBack`: this document is the draft again, based on the new version; where
 * there is another draft by now, that one stays and is based on it.
 */
export type DraftFate =
  | { readonly kind: 'publishes'; readonly revision: number }
  | { readonly kind: 'discarded' }
  | { readonly kind: 'comesBack'; readonly document: string; readonly author: string | null }

export interface DraftRemove {
  readonly revision?: number | undefined
  /** In the same moment: see kept-drafts.ts. Unless said otherwise it is. */
  readonly isKept?: boolean
}

export type DraftRemoval = 'removed' | 'stale' | 'none'

/**
 * One draft per flow at the most. Deleting the flow leaves it where it is, out of reach, and with the flow it is there
 * again.
 */
export interface DraftStore {
  find(flowId: string): Promise<StoredDraft | undefined>
  /** Those of these flows, in any order. */
  ofFlows(flowIds: readonly string[]): Promise<StoredDraft[]>
  /** Who sends the very document that is there has won, whatever was edited: its answer may have been lost. */
  save(save: DraftSave): Promise<DraftResult>
  /** With a revision, only while the draft is at it. */
  remove(flowId: string, removal?: DraftRemove): Promise<DraftRemoval>
}
