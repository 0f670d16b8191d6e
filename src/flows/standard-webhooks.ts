/**
 * How Standard Webhooks signs (standardwebhooks.com), for whoever checks signatures and for whoever makes them: HMAC-SHA256
 * over the id, the time and the body, parted by dots.
 */

const PREFIX = 'whsec_'
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** The key in base64: what follows the prefix, which only says that it is a secret. */
export function keyTextOf(secret: string): string {
  return secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret
}

/** Whether others read the same key out of it: they are strict about base64. */
export function isGoodKey(secret: string): boolean {
  const text = keyTextOf(secret)
  return BASE64.test(text) && text.length % 4 !== 1
}

/** What is signed, up to the body. */
export function signedBeginning(id: string, timestamp: string): string {
  return `${id}.${timestamp}.`
}

/** How a signature of this kind begins in its header. */
export const SIGNATURE_VERSION = 'v1,'
