import type { DraftFate } from './drafts.ts'
import type {
  ContextCheck,
  FlowBinStore,
  FlowStandingStore,
  SlugCheck,
  StoredFlow,
  Undeletion
} from './flow-standing.ts'
import type { FlowVersion, VersionFacts, VersionQuestion, VersionSummary } from './versions.ts'

export type { ContextCheck, MayTake, SlugCheck, StoredFlow, Undeletion } from './flow-standing.ts'

export interface NewFlow
  extends Omit<StoredFlow, 'version' | 'updatedAt' | 'paused' | 'triggersFrom' | 'origin' | 'aliases'>,
    ContextCheck,
    SlugCheck {
  readonly facts?: Partial<VersionFacts>
}

/** Nothing of it is live but its name and its place: all else is its draft. */
export interface NewFlowWithDraft extends NewFlow {
  /** The document as JSON text. */
  readonly draft: string
  readonly author: string | null
}

export type CreatedAll =
  | { readonly won: true; readonly flows: readonly StoredFlow[] }
  | { readonly won: false; readonly because: SaveRefusal }

export interface FlowSave extends ContextCheck, SlugCheck {
  readonly id: string
  /** The version that was edited; the save wins only while it is the live one. */
  readonly baseVersion: number
  readonly slug: string
  readonly context: string
  readonly document: string
  readonly at: number
  readonly facts?: Partial<VersionFacts>
  /** Left out, the draft stays as it is. */
  readonly draft?: DraftFate
  /** Where the slug changes, the flow still answers to the former one. */
  readonly keepsSlug?: true
}

export type SaveRefusal = 'stale' | 'slug_taken' | 'gone' | 'context_gone' | 'draft_stale'

export type SaveResult =
  | { readonly won: true; readonly flow: StoredFlow }
  | { readonly won: false; readonly because: SaveRefusal }

export interface FlowStore extends FlowStandingStore, FlowBinStore {
  /** Every flow that has not been deleted, at its live version. */
  live(): Promise<StoredFlow[]>
  create(flow: NewFlow): Promise<SaveResult>
  /** All of them with their drafts, or none: then it says why, of the first that was refused. */
  createAll(flows: readonly NewFlowWithDraft[]): Promise<CreatedAll>
  save(save: FlowSave): Promise<SaveResult>
  /** The flow stops being live. Its versions stay: unfinished runs finish on them. */
  remove(id: string, at: number, by?: string): Promise<boolean>
  /** A removed flow as it was last; undefined while it is live, or where there never was one. */
  removed(id: string): Promise<StoredFlow | undefined>
  /**
   * Makes a removed flow live again, as it was last, but for aliases that others have taken meanwhile. One that is live is
   * `stale`, an unknown one `gone`.
   */
  undelete(id: string, undeletion: Undeletion): Promise<SaveResult>
  /** Newest first; `next` is null where none is left. */
  versions(
    id: string,
    question: VersionQuestion
  ): Promise<{ versions: VersionSummary[]; next: number | null }>
  version(id: string, version: number): Promise<FlowVersion | undefined>
}
