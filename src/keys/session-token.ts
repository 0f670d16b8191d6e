import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a session's token says; `signature` tells whether to believe it. */
interface SessionClaim {
  readonly keyId: string
  /** Stays the same when the session is renewed, so that all its tokens end together. */
  readonly sessionId: string
  /** Milliseconds since 1970, whole seconds. */
  readonly expiresAt: number
  readonly signature: string
}

/** What a session is signed with. */
interface SessionSeal {
  readonly secret: string
  /**
   * The hash of the key itself. With it in the signature a key that is replaced under the same id, as the one of
   * the configuration is, takes its sessions along.
   */
  readonly keyHash: string
}

const FORM = /^([\w-]{1,64})\.([\w-]{22})\.(\d{1,12})\.([\w-]{43})$/

/** `<id of the key>.<id of the session>.<seconds since 1970>.<HMAC-SHA-256>`: only the signature is secret. */
export function writeSessionToken(
  { keyId, sessionId, expiresAt }: Omit<SessionClaim, 'signature'>,
  seal: SessionSeal
): string {
  const claim = `${keyId}.${sessionId}.${Math.floor(expiresAt / 1000)}`
  return `${claim}.${sign(claim, seal)}`
}

/** What the token claims to be; undefined where it is no token at all. */
export function readSessionToken(token: string): SessionClaim | undefined {
  const [, keyId, sessionId, seconds, signature] = FORM.exec(token) ?? []
  if (keyId === undefined || sessionId === undefined || signature === undefined) return undefined
  return { keyId, sessionId, expiresAt: Number(seconds) * 1000, signature }
}

export function isGenuine(claim: SessionClaim, seal: SessionSeal): boolean {
  const { keyId, sessionId, expiresAt, signature } = claim
  const expected = sign(`${keyId}.${sessionId}.${expiresAt / 1000}`, seal)
  return timingSafeEqual(Buffer.from(expected), Buffer.from(signature))
}

function sign(claim: string, { secret, keyHash }: SessionSeal): string {
  return createHmac('sha256', secret).update(`session ${claim} ${keyHash}`).digest('base64url')
}
