import type { WebhookEntry } from '../../../library/webhook-entry.ts'
import type { Moment, SignedRequest } from './scheme.ts'
import { schemeOf } from './schemes.ts'

/** The query that the sender of a flow adds to the address by itself: Twilio says there what the body is. */
export function senderQuery(
  entry: WebhookEntry,
  request: Pick<SignedRequest, 'headers' | 'body'>
): Readonly<Record<string, string>> {
  return entry.auth === 'Signature' ? (schemeOf(entry)?.query?.(request) ?? {}) : {}
}

/**
 * The headers by which the sender of a flow would prove itself. None where it has no secret, and where nobody but the sender
 * can sign: then the request is refused as any other without a proof.
 */
export function senderProof(
  entry: WebhookEntry,
  request: SignedRequest,
  moment: Moment
): Readonly<Record<string, string>> {
  // While one replaces another, the newer one stands behind.
  const secret = entry.signingSecrets.at(-1)
  if (secret === undefined) return {}
  switch (entry.auth) {
    case 'Signature':
      return schemeOf(entry)?.sign?.(request, secret, moment) ?? {}
    case 'Token':
      return { [entry.tokenHeader]: entry.tokenHeader === 'authorization' ? `Bearer ${secret}` : secret }
    case 'Basic':
      return { authorization: `Basic ${Buffer.from(`${entry.basicUser}:${secret}`).toString('base64')}` }
    default:
      return {}
  }
}
