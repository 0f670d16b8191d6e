import { createHmac, randomBytes } from 'node:crypto'
import type { SignInStore, StoredKey } from '../store/credentials.ts'
import type { KeyRing } from './key-ring.ts'
import type { Actor } from './rights.ts'
import { isGenuine, readSessionToken, writeSessionToken } from './session-token.ts'

interface SessionsDeps {
  readonly store: Pick<SignInStore, 'secret' | 'endSession' | 'endedSessions'>
  readonly keys: Pick<KeyRing, 'get'>
  readonly now: () => number
  /** Resolves when the other processes know what was written here; absent where there are none. */
  readonly confirmed?: () => Promise<void>
}

export interface Session {
  readonly id: string
  readonly actor: Actor
  readonly key: StoredKey
  readonly expiresAt: number
}

const DAY_MS = 86_400_000

/** How long a session lasts after its last renewal. */
export const SESSION_MS = 30 * DAY_MS

/** Renewed at most once a day. */
const RENEW_BELOW_MS = SESSION_MS - DAY_MS

/**
 * Sessions of people who signed in to the page. A session is a signed word for "whoever holds this key": it has the
 * key's rights and no others, and ends with it, whether the key is revoked, replaced or expires. Nothing is stored
 * for it while it lasts, so any process that shares the store can tell a good one. What is stored, and known in memory,
 * is which ones were ended by signing out, for as long as a copy of the cookie would be good.
 */
export class Sessions {
  readonly #deps: SessionsDeps
  readonly #secret: string
  #ended = new Set<string>()
  /**
   * What the cookie is called. A browser keeps cookies by host and not by port: with one name for all, two
   * services on one machine would sign each other's users out.
   */
  readonly cookieName: string

  private constructor(deps: SessionsDeps, secret: string) {
    this.#deps = deps
    this.#secret = secret
    this.cookieName = `millrace_${createHmac('sha256', secret).update('cookie').digest('hex').slice(0, 8)}`
  }

  static async open(deps: SessionsDeps): Promise<Sessions> {
    return new Sessions(deps, await deps.store.secret(randomBytes(32).toString('base64url')))
  }

  /** Brings in which sessions were ended, here before the last start or by other processes. */
  async refresh(): Promise<void> {
    this.#ended = new Set(await this.#deps.store.endedSessions())
  }

  /** The token of a session of whoever holds the key: of a new one, or of that which is to go on. */
  issue({ id: keyId, hash: keyHash }: StoredKey, sessionId = randomBytes(16).toString('base64url')): string {
    const expiresAt = this.#deps.now() + SESSION_MS
    return writeSessionToken({ keyId, sessionId, expiresAt }, { secret: this.#secret, keyHash })
  }

  /** All tokens of the session are worth nothing from now on, whoever has a copy of one. */
  async end({ id }: Session): Promise<void> {
    this.#hold(id)
    const now = this.#deps.now()
    // It may have been renewed until this moment.
    await this.#deps.store.endSession({ id, expiresAt: now + SESSION_MS }, now)
    // What was brought in meanwhile may have been read before it was written.
    this.#hold(id)
    await this.#deps.confirmed?.()
  }

  /** Whose session it is, while it is good. */
  read(token: string): Session | undefined {
    const claim = readSessionToken(token)
    if (claim === undefined || claim.expiresAt <= this.#deps.now()) return undefined
    if (this.#ended.has(claim.sessionId)) return undefined
    const known = this.#deps.keys.get(claim.keyId)
    if (known === undefined) return undefined
    const seal = { secret: this.#secret, keyHash: known.key.hash }
    const { sessionId: id, expiresAt } = claim
    return isGenuine(claim, seal) ? { ...known, id, expiresAt } : undefined
  }

  isToRenew({ expiresAt }: Session): boolean {
    return expiresAt - this.#deps.now() < RENEW_BELOW_MS
  }

  #hold(id: string): void {
    this.#ended.add(id)
  }
}
