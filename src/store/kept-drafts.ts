/** What took the place of a draft that was kept. */
export type KeptBecause = 'restored' | 'discarded'

export interface KeptDraftSummary {
  /** Grows with every draft of the flow that is kept. */
  readonly number: number
  /** The live version that it was edited from. */
  readonly baseVersion: number
  /** The name of the key that saved it last. */
  readonly author: string | null
  /** When it was edited last. */
  readonly updatedAt: number
  readonly because: KeptBecause
}

export interface KeptDraft extends KeptDraftSummary {
  /** The document as JSON text. It may have any fault. */
  readonly document: string
}

/** Of each flow. Nobody looks for older ones, and a document may be as large as a body. */
export const MOST_KEPT_DRAFTS = 20

/**
 * Drafts whose place something else has taken. They stand beside the versions, which are what was live; a draft never
 * was. They stay with their flow when it is deleted, and go with it for good.
 */
export interface KeptDraftStore {
  /** Keeps the draft as it is; undefined where there is none, the one that is there where it was kept already. */
  keep(flowId: string, because: KeptBecause): Promise<KeptDraftSummary | undefined>
  /** Newest first. */
  ofFlow(flowId: string): Promise<KeptDraftSummary[]>
  read(flowId: string, number: number): Promise<KeptDraft | undefined>
}
