import { createHmac, hash } from 'node:crypto'
import type { SignedRequest } from './hmac-rule.ts'

/**
 * X-Twilio-Signature: SHA-1 of the address, followed by the names and values of the form in the order of their names. Of any other
 * body the address holds the digest, as `bodySHA256`.
 */
export function twilioSignature({ headers, url, body }: SignedRequest, secret: string): Buffer | undefined {
  const type = String(headers['content-type'] ?? '').toLowerCase()
  const hmac = createHmac('sha1', secret).update(url)
  if (type.startsWith('application/x-www-form-urlencoded')) {
    for (const [name, value] of sortedFields(body)) hmac.update(name + value)
    return hmac.digest()
  }
  if (body.length === 0) return hmac.digest()
  const digest = URL.canParse(url) ? new URL(url).searchParams.get('bodySHA256') : null
  return digest !== null && digest.toLowerCase() === hash('sha256', body, 'hex') ? hmac.digest() : undefined
}

/** Twilio sends each pair of a name once, also where the name repeats. */
function sortedFields(body: Uint8Array): [name: string, value: string][] {
  const fields = [...new URLSearchParams(Buffer.from(body).toString())]
  const texts = new Map(
    fields.map(([name, value]) => [`${name}\0${value}`, [name, value] as [string, string]])
  )
  return [...texts.values()].sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
