import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a session's token says; `signature` tells whether to believe it. */
export interface SessionClaim {
  readonly keyId: string
  /** Milliseconds since 1970, whole seconds. */
  readonly expiresAt: number
  readonly signature: string
}

/** What a session is signed with. */
export interface SessionSeal {
  readonly secret: string
  /**
   * The hash of the key itself. With it in the signature a key that is replaced under the same id, as the one of
   * the configuration is, takes its sessions along.
   */
  readonly keyHash: string
}

const FORM = /^([\w-]{1,64})\.(\d{1,12})\.([\w-]{43})$/

/** `<id of the key>.<seconds since 1970>.<HMAC-SHA-256>`: nothing in it is secret but the signature. */
export function writeSessionToken(keyId: string, expiresAt: number, seal: SessionSeal): string {
  const seconds = Math.floor(expiresAt / 1000)
  return `${keyId}.${seconds}.${sign(keyId, seconds, seal)}`
}

/** What the token claims to be; undefined where it is no token at all. */
export function readSessionToken(token: string): SessionClaim | undefined {
  const [, keyId, seconds, signature] = FORM.exec(token) ?? []
  if (keyId === undefined || signature === undefined) return undefined
  return { keyId, expiresAt: Number(seconds) * 1000, signature }
}

export function isGenuine({ keyId, expiresAt, signature }: SessionClaim, seal: SessionSeal): boolean {
  const expected = sign(keyId, expiresAt / 1000, seal)
  return timingSafeEqual(Buffer.from(expected), Buffer.from(signature))
}

function sign(keyId: string, seconds: number, { secret, keyHash }: SessionSeal): string {
  return createHmac('sha256', secret).update(`session ${keyId} ${seconds} ${keyHash}`).digest('base64url')
}
