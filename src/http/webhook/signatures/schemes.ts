import type { IncomingHttpHeaders } from 'node:http'
import type { WebhookEntry } from '../../../library/webhook-entry.ts'
import { hmacScheme, schemeByRule } from './hmac-rule.ts'
import type { Scheme, SignedRequest } from './scheme.ts'
import { sendGrid } from './sendgrid.ts'
import { standardWebhooks } from './standard-webhooks.ts'
import { timedList } from './timed-list.ts'
import { twilio } from './twilio.ts'

/** How far the sender's clock may be off, and so how long a recorded request could be sent again. */
const TOLERANCE_SECONDS = 300

const SLACK_TIME = 'x-slack-request-timestamp'

/** The schemes that have a name. One that any sender may have is made of the node's fields. */
const SCHEMES: Readonly<Record<string, Scheme>> = {
  'Standard Webhooks': standardWebhooks,
  GitHub: schemeByRule({ header: 'x-hub-signature-256', prefix: 'sha256=' }),
  Stripe: timedList('stripe-signature'),
  Slack: schemeByRule(
    { header: 'x-slack-signature', prefix: 'v0=', timestampHeader: SLACK_TIME },
    `v0:{header:${SLACK_TIME}}:{body}`
  ),
  Shopify: schemeByRule({ header: 'x-shopify-hmac-sha256', encoding: 'base64' }),
  Twilio: twilio,
  Calendly: timedList('calendly-webhook-signature'),
  SendGrid: sendGrid
}

/** Undefined for one that nobody knows, and for a rule that is not whole: then no signature is good. */
export function schemeOf({
  signatureScheme: name,
  hmac
}: Pick<WebhookEntry, 'signatureScheme' | 'hmac'>): Scheme | undefined {
  if (name === 'HMAC') return hmac === null ? undefined : hmacScheme(hmac)
  return Object.hasOwn(SCHEMES, name) ? SCHEMES[name] : undefined
}

/** Whether the request carries a good signature. Without a secret, or by an unknown scheme, none is good. */
export function isSignedBy(
  scheme: Scheme | undefined,
  request: SignedRequest,
  secret: string,
  now: number
): boolean {
  if (scheme === undefined || secret === '') return false
  const time = scheme.time(request.headers)
  return (time === undefined || isRecent(time, now)) && scheme.check(request, secret)
}

/**
 * Whether there is a signature at all, which can be told before the body is read. Whoever sends none is refused then,
 * as for a flow that is not there: a body that is too large, say, must not tell that there is one.
 */
export function carriesSignature(scheme: Scheme | undefined, headers: IncomingHttpHeaders): boolean {
  return scheme?.headers.some((name) => headers[name] !== undefined) ?? false
}

/** `now`: seconds since 1970. */
export function isRecent(timestamp: string, now: number): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(now - Number(timestamp)) <= TOLERANCE_SECONDS
}
