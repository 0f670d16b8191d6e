import type { IncomingHttpHeaders } from 'node:http'
import { MillraceError } from '../../../errors.ts'
import type { WebhookEntry } from '../../../library/webhook-entry.ts'
import { carriesSignature, isRecent, schemeOf } from './schemes.ts'

type Asked = Pick<WebhookEntry, 'signatureScheme' | 'hmac'>

/** Why the signature of a request is not good, for whoever may know of the flow; see hide-refusals.ts for all others. */
export function signatureInvalid(asked: Asked, headers: IncomingHttpHeaders, now: number): MillraceError {
  return new MillraceError('signature_invalid', faultOf(asked, headers, now))
}

function faultOf(asked: Asked, headers: IncomingHttpHeaders, now: number): string {
  const scheme = schemeOf(asked)
  const name = asked.signatureScheme
  if (scheme === undefined) {
    return `The Webhook of the flow asks for a signature by ${name}, and does not say how that is made. Open the flow, and fill in the fields of its signature.`
  }
  const [header] = scheme.headers
  if (!carriesSignature(scheme, headers)) {
    return `The request sends no signature. The Webhook of the flow asks for one by ${name}, in the header ${header}; a key cannot replace it.`
  }
  const time = scheme.time(headers)
  if (time === undefined || isRecent(time, now)) {
    const address =
      name === 'Twilio'
        ? ' Twilio signs the address too: MILLRACE_PUBLIC_URL must be the one that it calls.'
        : ''
    return `The signature in ${header} was not made with the secret of the flow's connection, or not of these bytes. Compare the secret with the sender's, and look for a proxy that changes bodies.${address}`
  }
  return /^\d{1,12}$/.test(time)
    ? `The signature is of a time ${Math.abs(now - Number(time))} s from the time here, and at most 300 s are accepted. Set the sender's clock, or this machine's; an old request must not be sent again.`
    : 'The request does not say in seconds since 1970 when it was signed.'
}
