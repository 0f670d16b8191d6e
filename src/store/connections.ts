/** A connection as a store keeps it: an address with what it takes to get in, which is sealed. */
export interface StoredConnection {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly context: string
  /** As JSON text. */
  readonly settings: string
  /** The sealed secrets by their names, as JSON text. */
  readonly secrets: string
  /** Whether whoever wrote its address last may administer the root: then steps may reach that address. */
  readonly isTrusted: boolean
  /** Rises with every change, from 1. */
  readonly revision: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** Why a connection was not written. */
export type ConnectionResult = 'done' | 'name_taken' | 'stale' | 'context_gone'

/** One that is put into a context which was made at run time gets there only while the store has that context. */
export interface ConnectionPlace {
  readonly isContextMade?: boolean
}

/** What goes with a connection that replaces one. */
export interface ConnectionReplacing extends ConnectionPlace {
  /** What somebody has signed in for goes with the one that was: it is not good where this one leads. */
  readonly voidsTokens?: boolean
}

/** One that was deleted, until it goes for good. */
export interface RemovedConnection extends StoredConnection {
  readonly deletedAt: number
  /** The name of the key that deleted it. */
  readonly deletedBy: string | null
}

export interface ConnectionStore {
  list(): Promise<StoredConnection[]>
  create(connection: StoredConnection, place?: ConnectionPlace): Promise<ConnectionResult>
  /** Replaces the one of the same id, while its revision is one less: `stale` where another came first, or it is gone. */
  replace(connection: StoredConnection, replacing?: ConnectionReplacing): Promise<ConnectionResult>
  remove(id: string): Promise<boolean>
  /** Removes it so that it can come back with its secrets and its document; what somebody has signed in for goes. */
  bin(id: string, gone: Pick<RemovedConnection, 'deletedAt' | 'deletedBy'>): Promise<boolean>
  /** Those in the bin, newest first. */
  removed(): Promise<RemovedConnection[]>
  /** Brings it back from the bin; `stale` where it is not there. */
  undelete(id: string, place?: ConnectionPlace): Promise<ConnectionResult>
  /** Deletes those for good that were deleted before this moment, so many at the most; resolves to how many went. */
  forgetRemoved(deletedBefore: number, most: number): Promise<number>
}

/** What a provider gave a connection that signs in by OAuth, and who is getting it anew. */
export interface StoredTokens {
  readonly connectionId: string
  /** Sealed; empty where there are none yet. */
  readonly tokens: string
  /** Who is getting new ones; null where nobody is. */
  readonly holder: string | null
  /** Until when the holder is waited for, in milliseconds since 1970. */
  readonly leasedUntil: number
  /** Rises with every change, from 1. */
  readonly revision: number
}

export interface TokenStore {
  list(): Promise<StoredTokens[]>
  find(connectionId: string): Promise<StoredTokens | undefined>
  /** Writes what has the next revision; false where another came first, or the connection is gone. */
  write(tokens: StoredTokens): Promise<boolean>
}
