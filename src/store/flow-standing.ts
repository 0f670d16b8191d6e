import type { VersionOrigin } from './versions.ts'

export interface StoredFlow {
  readonly id: string
  readonly slug: string
  readonly context: string
  readonly version: number
  /** The document as JSON text. */
  readonly document: string
  readonly createdAt: number
  readonly updatedAt: number
  /** Null while the flow is not paused. */
  readonly paused: Pause | null
  /** Its triggers make up for nothing of before: it refused what arrived till then, or was deleted. Null where it never was. */
  readonly triggersFrom: number | null
  /** What made the live version; null where that is not known. */
  readonly origin: VersionOrigin | null
  /** Former slugs that it still answers to, oldest first. */
  readonly aliases: readonly string[]
}

/** While a flow is paused none of its runs begins; those that have begun go on. */
export interface Pause {
  /** What becomes of requests: they are accepted and their runs paused, or they are refused. */
  readonly mode: 'hold' | 'refuse'
  readonly since: number
  /** The name of who paused it. */
  readonly by: string
}

/** A flow that is put somewhere. Into a context that was made at run time it gets only while the store has that one. */
export interface ContextCheck {
  readonly isContextMade?: boolean
}

/** Whether somebody may have the slug of this deleted flow, which may be brought back: anybody where this is left out. */
export interface SlugCheck {
  readonly mayTake?: MayTake | undefined
}

export type MayTake = (deleted: { readonly id: string; readonly context: string }) => boolean

export interface Undeletion extends ContextCheck, SlugCheck {
  /** Its triggers count from here on. */
  readonly at: number
}

/** An address that a flow had as its slug and still answers to. */
export interface Alias {
  readonly slug: string
  /** When it ceased to be the slug. */
  readonly since: number
  /** Requests since then, and the newest of them. */
  readonly calls: number
  readonly lastCalledAt: number | null
  /** Who sent them, as JSON text; see alias-callers.ts. */
  readonly callers: string
}

/** What came by an alias since this was last told. */
export interface AliasCalls {
  readonly flowId: string
  readonly slug: string
  readonly calls: number
  readonly lastCalledAt: number
  readonly callers: readonly AliasCaller[]
}

export interface AliasCaller {
  /** The name of the key; null where the flow asks for none. */
  readonly key: string | null
  readonly address: string
  readonly calls: number
  readonly lastCalledAt: number
}

/** A flow as it was last, when it was removed, and by whom. */
export interface RemovedFlow extends StoredFlow {
  readonly deletedAt: number
  /** The name of who removed it; null where that is not known. */
  readonly deletedBy: string | null
}

export interface BinQuestion {
  /** Only those that come after this one. */
  readonly after?: Pick<RemovedFlow, 'deletedAt' | 'id'>
  readonly limit: number
}

/** The flows that were removed, until they go for good. */
export interface FlowBinStore {
  /** Those that were removed last come first. */
  bin(question: BinQuestion): Promise<RemovedFlow[]>
  /** Ids of flows that were removed before this moment. */
  removedBefore(at: number, limit: number): Promise<string[]>
  /**
   * Deletes a removed flow for good, with its versions, draft and aliases; false where there is none. Its runs stay. Its id is
   * never given again.
   */
  purge(id: string): Promise<boolean>
}

/** What of a flow changes without a new version. */
export interface FlowStandingStore {
  /**
   * Pauses a live flow, or lets it go on (null); undefined where there is none. Runs that are queued and have not begun are
   * paused from then on, and those that are paused are queued again, in the order of acceptance. A flow that is removed stays as
   * it is. Where it refused what arrived, its triggers count from `at` on.
   */
  setPaused(id: string, paused: Pause | null, at: number): Promise<StoredFlow | undefined>
  /** Pauses runs that came while somebody had not heard yet that their flow is paused; nothing where it is not. */
  pauseQueued(id: string): Promise<void>
  /** A live flow without this alias; undefined where there is no such flow, or it has none. */
  removeAlias(id: string, slug: string): Promise<StoredFlow | undefined>
  /** Oldest first. */
  aliases(id: string): Promise<Alias[]>
  /** What came by aliases that are gone meanwhile is forgotten. */
  addAliasCalls(calls: readonly AliasCalls[]): Promise<void>
}
