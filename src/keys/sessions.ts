import { createHmac, randomBytes } from 'node:crypto'
import type { SignInStore, StoredKey } from '../store/credentials.ts'
import type { KeyRing } from './key-ring.ts'
import type { Actor } from './rights.ts'
import { isGenuine, readSessionToken, writeSessionToken } from './session-token.ts'

export interface SessionsDeps {
  readonly store: Pick<SignInStore, 'secret'>
  readonly keys: Pick<KeyRing, 'held'>
  readonly now: () => number
}

export interface Session {
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
 * for it, so any process that shares the store can tell a good one.
 */
export class Sessions {
  readonly #deps: SessionsDeps
  readonly #secret: string
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

  /** The token of a new session of whoever holds the key. */
  issue({ id, hash: keyHash }: StoredKey): string {
    const expiresAt = this.#deps.now() + SESSION_MS
    return writeSessionToken(id, expiresAt, { secret: this.#secret, keyHash })
  }

  /** Whose session it is, while it is good. */
  read(token: string): Session | undefined {
    const claim = readSessionToken(token)
    if (claim === undefined || claim.expiresAt <= this.#deps.now()) return undefined
    const held = this.#deps.keys.held(claim.keyId)
    if (held === undefined) return undefined
    const seal = { secret: this.#secret, keyHash: held.key.hash }
    return isGenuine(claim, seal) ? { ...held, expiresAt: claim.expiresAt } : undefined
  }

  isToRenew({ expiresAt }: Session): boolean {
    return expiresAt - this.#deps.now() < RENEW_BELOW_MS
  }
}
