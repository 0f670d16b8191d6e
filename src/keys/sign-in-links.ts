import { hash, randomBytes } from 'node:crypto'
import type { SignInStore, StoredKey } from '../store/credentials.ts'
import { RIGHTS } from './rights.ts'

interface SignInLinksDeps {
  readonly store: Pick<SignInStore, 'put' | 'take'>
  readonly now: () => number
}

/** What became of a link that somebody followed. */
type FollowedLink =
  | { readonly isGood: true; readonly keyId: string }
  | { readonly isGood: false; readonly because: 'used' | 'expired' }

const DAY_MS = 86_400_000

/** Long enough to read a log the next morning; whoever comes later asks for another link. */
export const LINK_MS = DAY_MS

/** For so long an expired link is still known as one that expired. */
const REMEMBER_MS = 30 * DAY_MS

/**
 * Links that sign somebody in once: across restarts and processes, since the store takes a link and gives it to one
 * who asks. Only the hash of a link's token is kept.
 */
export class SignInLinks {
  readonly #deps: SignInLinksDeps

  constructor(deps: SignInLinksDeps) {
    this.#deps = deps
  }

  /** The token of a new link, which signs in with this key. */
  async offer(keyId: string): Promise<string> {
    const token = randomBytes(24).toString('base64url')
    const now = this.#deps.now()
    const link = { hash: hash('sha256', token), keyId, expiresAt: now + LINK_MS }
    await this.#deps.store.put(link, now - REMEMBER_MS)
    return token
  }

  /** A link that nobody knows counts as used: that is what almost all of them are. */
  async follow(token: string): Promise<FollowedLink> {
    const link = await this.#deps.store.take(hash('sha256', token))
    if (link === undefined) return { isGood: false, because: 'used' }
    if (link.expiresAt <= this.#deps.now()) return { isGood: false, because: 'expired' }
    return { isGood: true, keyId: link.keyId }
  }
}

/** Where the link leads, from the address or the prefix of the service. */
export function signInPath(token: string): string {
  return `/sign-in?token=${token}`
}

/** The key that the operator's own link signs in with: the oldest of those that may do everything. */
export function operatorsKey(keys: readonly StoredKey[], now: number): StoredKey | undefined {
  return keys
    .filter(({ rights, flowId, context, expiresAt }) => {
      const isBound = flowId !== null || context !== null
      const isGood = expiresAt === null || expiresAt > now
      return isGood && !isBound && RIGHTS.every((right) => rights.includes(right))
    })
    .toSorted((a, b) => a.createdAt - b.createdAt)[0]
}
