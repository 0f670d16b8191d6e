import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { SecretKeys } from './secret-keys.ts'

/** Where a secret belongs. It is sealed with this, so that one that is moved to another row does not open. */
export interface SecretPlace {
  readonly connection: string
  readonly context: string
  readonly name: string
}

const ALGORITHM = 'aes-256-gcm'
const VERSION = '1'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

/**
 * An envelope: the secret is encrypted with a key of its own, and that key with the service's. Changing the service's
 * key then rewrites 32 bytes per secret and never has to open one.
 *
 * Written as `1.<id of the service's key>.<sealed own key>.<sealed secret>`, the last two in base64.
 */
export function sealSecret(secret: string, place: SecretPlace, [key]: SecretKeys): string {
  const own = randomBytes(KEY_BYTES)
  const sealedOwn = encrypt(own, key.bytes, place)
  const sealed = encrypt(Buffer.from(secret, 'utf8'), own, place)
  return [VERSION, key.id, sealedOwn, sealed].join('.')
}

export function openSecret(sealed: string, place: SecretPlace, keys: SecretKeys): string {
  const { secret, own } = openEnvelope(sealed, place, keys)
  return decrypt(secret, own, place).toString('utf8')
}

/** The same secret under the first of the keys; undefined where it is already. */
export function resealSecret(sealed: string, place: SecretPlace, keys: SecretKeys): string | undefined {
  const [first] = keys
  if (keyIdOf(sealed) === first.id) return undefined
  const { secret, own } = openEnvelope(sealed, place, keys)
  return [VERSION, first.id, encrypt(own, first.bytes, place), secret].join('.')
}

/** Which key of the service opens it. */
export function keyIdOf(sealed: string): string {
  return sealed.split('.', 2)[1] ?? ''
}

/** The secret cannot be opened; the message never holds any of it. */
export class SealBroken extends Error {}

function openEnvelope(sealed: string, place: SecretPlace, keys: SecretKeys) {
  const [version, keyId, sealedOwn, secret, ...rest] = sealed.split('.')
  if (version !== VERSION || sealedOwn === undefined || secret === undefined || rest.length > 0) {
    throw new SealBroken('what is stored is not a sealed secret')
  }
  const key = keys.find(({ id }) => id === keyId)
  if (key === undefined) {
    throw new SealBroken(`it is sealed with the key ${keyId}, which MILLRACE_SECRET_KEY does not hold`)
  }
  return { secret, own: decrypt(sealedOwn, key.bytes, place) }
}

function encrypt(plain: Uint8Array, key: Uint8Array, place: SecretPlace): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(placeBytes(place))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
}

function decrypt(text: string, key: Uint8Array, place: SecretPlace): Buffer {
  const bytes = Buffer.from(text, 'base64')
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  try {
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(placeBytes(place)).setAuthTag(tag)
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  } catch (cause) {
    throw new SealBroken('it was changed, or moved here from another connection', { cause })
  }
}

/** JSON, so that no two places are written alike. */
function placeBytes({ connection, context, name }: SecretPlace): Buffer {
  return Buffer.from(JSON.stringify([connection, context, name]), 'utf8')
}
