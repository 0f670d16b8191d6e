import type { IncomingHttpHeaders } from 'node:http'
import { readHmacRule } from '../../../flows/webhook-signatures.ts'
import { isSignedBy, schemeOf } from './schemes.ts'

interface Sent {
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array
  readonly secret: string
  /** Seconds since 1970. */
  readonly now: number
  readonly method?: string
  readonly url?: string
}

/** Whether the service takes the signature, by what the fields of a Webhook say. */
export function isSigned(fields: Readonly<Record<string, unknown>>, sent: Sent): boolean {
  const { headers, body, secret, now, method = 'POST', url = 'https://mill.example/x' } = sent
  const scheme = schemeOf({ signatureScheme: String(fields.signature_scheme), hmac: readHmacRule(fields) })
  return isSignedBy(scheme, { headers, body, method, url }, secret, now)
}
