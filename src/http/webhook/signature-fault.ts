import type { IncomingHttpHeaders } from 'node:http'
import { MillraceError } from '../../errors.ts'
import { carriesSignature, isRecent, SIGNATURE_HEADERS, signedTime } from './webhook-signature.ts'

/** Why the signature of a request is not good, for whoever may know of the flow; see hide-refusals.ts for all others. */
export function signatureInvalid(scheme: string, headers: IncomingHttpHeaders, now: number): MillraceError {
  return new MillraceError('signature_invalid', faultOf(scheme, headers, now))
}

function faultOf(scheme: string, headers: IncomingHttpHeaders, now: number): string {
  const [header] = SIGNATURE_HEADERS[scheme] ?? []
  if (!carriesSignature(scheme, headers)) {
    return `The request sends no signature. The Webhook of the flow asks for one by ${scheme}, in the header ${header}; a key cannot replace it.`
  }
  const time = signedTime(scheme, headers)
  if (time === undefined || isRecent(time, now)) {
    return `The signature in ${header} was not made with the secret of the flow's connection, or not of these bytes. Compare the secret with the sender's, and look for a proxy that changes bodies.`
  }
  return /^\d{1,12}$/.test(time)
    ? `The signature is of a time ${Math.abs(now - Number(time))} s from the time here, and at most 300 s are accepted. Set the sender's clock, or this machine's; an old request must not be sent again.`
    : 'The request does not say in seconds since 1970 when it was signed.'
}
