import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { type Scheme, textOf } from './scheme.ts'

const SIGNATURE = 'x-twilio-email-event-webhook-signature'
const TIMESTAMP = 'x-twilio-email-event-webhook-timestamp'

/** ECDSA over the time and the body. What the sender shows is a public key, so nobody else can sign. */
export const sendGrid: Scheme = {
  headers: [SIGNATURE],
  time: (headers) => textOf(headers[TIMESTAMP]),
  check: ({ headers, body }, secret) => {
    const key = publicKey(secret)
    if (key === undefined) return false
    const signed = Buffer.concat([Buffer.from(textOf(headers[TIMESTAMP])), body])
    return verify('sha256', signed, key, Buffer.from(textOf(headers[SIGNATURE]), 'base64'))
  }
}

/** As SendGrid shows it: base64, without the lines around it. */
function publicKey(secret: string): KeyObject | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(secret, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ec' ? key : undefined
  } catch {
    return undefined
  }
}
