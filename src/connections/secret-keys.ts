import { createHash } from 'node:crypto'

/** A key that encrypts secrets at rest, by an id that tells nothing of it. */
export interface SecretKey {
  readonly id: string
  readonly bytes: Uint8Array
}

/** The keys of this service: new secrets are sealed with the first, any of them opens one. */
export type SecretKeys = readonly [SecretKey, ...SecretKey[]]

const KEY_BYTES = 32

/** Reads MILLRACE_SECRET_KEY: one key, or several while it is being changed. Throws with words for the operator. */
export function readSecretKeys(text: string): SecretKeys {
  const keys = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(readKey)
  const [first, ...others] = keys
  if (first === undefined) throw new TypeError(`No key is given. ${REMEDY}`)
  return [first, ...others]
}

const REMEDY = 'Make one with `openssl rand -base64 32`.'

function readKey(text: string): SecretKey {
  const bytes = Buffer.from(text, 'base64')
  // Buffer drops what is not base64; a key that was cut or mistyped must not pass for a shorter one.
  const isWhole = bytes.length === KEY_BYTES && /^[A-Za-z0-9+/_-]{43}=?$/.test(text)
  if (isWhole) return { id: idOf(bytes), bytes }
  // Not even a part of it is shown.
  throw new TypeError(`A key is not ${KEY_BYTES} bytes in base64. ${REMEDY}`)
}

/** Stored beside what the key sealed, so that a missing key can be named. */
function idOf(bytes: Uint8Array): string {
  return createHash('sha256').update('millrace secret key').update(bytes).digest('hex').slice(0, 8)
}
