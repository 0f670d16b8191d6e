import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { keyTextOf, SIGNATURE_VERSION, signedBeginning } from '../../../flows/standard-webhooks.ts'
import { isSame, type Scheme, textOf } from './scheme.ts'

/** webhook-id, webhook-timestamp and webhook-signature; `svix-*` are the names they had before. */
export const standardWebhooks: Scheme = {
  headers: ['webhook-signature', 'svix-signature'],
  time: (headers) => part(headers, 'timestamp'),
  check: ({ headers, body }, secret) => {
    const id = part(headers, 'id')
    const expected = id === '' ? undefined : signatureOf(secret, id, part(headers, 'timestamp'), body)
    if (expected === undefined) return false
    return part(headers, 'signature')
      .split(' ')
      .some((one) => isSignature(one, expected))
  },
  sign: ({ body }, secret, { id, seconds }) => {
    const timestamp = String(seconds)
    const signature = signatureOf(secret, id, timestamp, body)?.toString('base64') ?? ''
    return {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': SIGNATURE_VERSION + signature
    }
  }
}

function part(headers: IncomingHttpHeaders, name: string): string {
  return textOf(headers[`webhook-${name}`] ?? headers[`svix-${name}`])
}

/** Undefined for a secret that is not base64: it decodes to nothing, and with an empty key anyone can sign. */
function signatureOf(secret: string, id: string, timestamp: string, body: Uint8Array): Buffer | undefined {
  const key = Buffer.from(keyTextOf(secret), 'base64')
  if (key.length === 0) return undefined
  return createHmac('sha256', key).update(signedBeginning(id, timestamp)).update(body).digest()
}

function isSignature(one: string, expected: Buffer): boolean {
  const isOurs = one.startsWith(SIGNATURE_VERSION)
  return isOurs && isSame(Buffer.from(one.slice(SIGNATURE_VERSION.length), 'base64'), expected)
}
