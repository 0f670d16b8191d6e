/** What Millrace asks of a store about who may come in: keys, and links and sessions of the page. */

export interface StoredKey {
  readonly id: string
  readonly name: string
  /** SHA-256 of the key, hexadecimal. The key itself is nowhere. */
  readonly hash: string
  /** The first characters of the key, so that a person can tell keys apart. */
  readonly hint: string
  readonly rights: readonly string[]
  readonly flowId: string | null
  readonly context: string | null
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
}

export type MayGo = (key: StoredKey, others: readonly StoredKey[]) => boolean

export interface KeyStore {
  list(): Promise<StoredKey[]>
  /** Adds the key, or replaces the one of the same id. */
  put(key: StoredKey): Promise<void>
  /** `mayGo` judges with all keys as they are then, and nobody else changes any before it is done. */
  remove(id: string, mayGo?: MayGo): Promise<'removed' | 'refused' | 'unknown'>
  /** Records when keys were last used, by id. */
  touch(used: ReadonlyMap<string, number>): Promise<void>
}

/** A link that lets somebody sign in to the page once. */
export interface SignInLink {
  /** SHA-256 of the link's token, hexadecimal. The token itself is nowhere. */
  readonly hash: string
  /** The key that whoever follows the link is signed in with. */
  readonly keyId: string
  readonly expiresAt: number
}

/** A session that somebody has ended by signing out. */
export interface EndedSession {
  readonly id: string
  /** Until when a copy of its cookie would be good. */
  readonly expiresAt: number
}

export interface SignInStore {
  /** The secret that sessions are signed with: the first one that was ever proposed, for all processes. */
  secret(proposed: string): Promise<string>
  /** Keeps the link, and forgets those that expired before `forgetBefore`. */
  put(link: SignInLink, forgetBefore: number): Promise<void>
  /** Uses a link up, an expired one too: of all who come with it, exactly one gets it. */
  take(hash: string): Promise<SignInLink | undefined>
  /** Keeps that the session was ended, and forgets those that had expired before `forgetBefore`. */
  endSession(session: EndedSession, forgetBefore: number): Promise<void>
  /** Ids of the sessions that were ended. */
  endedSessions(): Promise<string[]>
}
