import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { keyTextOf, SIGNATURE_VERSION, signedBeginning } from '../../flows/standard-webhooks.ts'

/** A signed request: its headers and its body, byte for byte. */
interface Signed {
  readonly headers: IncomingHttpHeaders
  readonly body: Uint8Array
  readonly secret: string
  /** Seconds since 1970. */
  readonly now: number
}

/** How far the sender's clock may be off, and so how long a recorded request could be sent again. */
const TOLERANCE_SECONDS = 300

type Scheme = (signed: Signed) => boolean

const SCHEMES: Readonly<Record<string, Scheme>> = {
  'Standard Webhooks': standardWebhooks,
  GitHub: github,
  Stripe: stripe,
  Slack: slack
}

/** Whether the request carries a good signature. Without a secret, or by an unknown scheme, none is good. */
export function isSignedBy(scheme: string, signed: Signed): boolean {
  const check = Object.hasOwn(SCHEMES, scheme) ? SCHEMES[scheme] : undefined
  return check !== undefined && signed.secret !== '' && check(signed)
}

/** Where each scheme has its signature. */
export const SIGNATURE_HEADERS: Readonly<Record<string, readonly string[]>> = {
  'Standard Webhooks': ['webhook-signature', 'svix-signature'],
  GitHub: ['x-hub-signature-256'],
  Stripe: ['stripe-signature'],
  Slack: ['x-slack-signature']
}

/**
 * Whether there is a signature at all, which can be told before the body is read. Whoever sends none is refused then,
 * as for a flow that is not there: a body that is too large, say, must not tell that there is one.
 */
export function carriesSignature(scheme: string, headers: IncomingHttpHeaders): boolean {
  const names = Object.hasOwn(SIGNATURE_HEADERS, scheme) ? SIGNATURE_HEADERS[scheme]! : []
  return names.some((name) => headers[name] !== undefined)
}

/** When a request says that it was signed; undefined for a scheme that signs no time. */
export function signedTime(scheme: string, headers: IncomingHttpHeaders): string | undefined {
  if (scheme === 'Standard Webhooks') return text(headers['webhook-timestamp'] ?? headers['svix-timestamp'])
  if (scheme === 'Stripe') return /(?:^|,)\s*t=([^,]*)/.exec(text(headers['stripe-signature']))?.[1] ?? ''
  return scheme === 'Slack' ? text(headers['x-slack-request-timestamp']) : undefined
}

/** webhook-id, webhook-timestamp and webhook-signature; `svix-*` are the names they had before. */
function standardWebhooks({ headers, body, secret, now }: Signed): boolean {
  const header = (name: string) => text(headers[`webhook-${name}`] ?? headers[`svix-${name}`])
  const id = header('id')
  const timestamp = header('timestamp')
  if (id === '' || !isRecent(timestamp, now)) return false
  const key = Buffer.from(keyTextOf(secret), 'base64')
  // A secret that is not base64 decodes to nothing, and with an empty key anyone can sign.
  if (key.length === 0) return false
  const expected = createHmac('sha256', key).update(signedBeginning(id, timestamp)).update(body).digest()
  return header('signature')
    .split(' ')
    .some((part) => isSignature(part, expected))
}

function isSignature(part: string, expected: Buffer): boolean {
  const isOurs = part.startsWith(SIGNATURE_VERSION)
  return isOurs && isSame(Buffer.from(part.slice(SIGNATURE_VERSION.length), 'base64'), expected)
}

/** X-Hub-Signature-256; GitHub signs no time. */
function github({ headers, body, secret }: Signed): boolean {
  const [scheme, digest = ''] = text(headers['x-hub-signature-256']).split('=')
  return (
    scheme === 'sha256' &&
    isSame(Buffer.from(digest, 'hex'), createHmac('sha256', secret).update(body).digest())
  )
}

/** Stripe-Signature: `t=<time>,v1=<hex>`, with one v1 for each active secret. */
function stripe({ headers, body, secret, now }: Signed): boolean {
  const parts = text(headers['stripe-signature'])
    .split(',')
    .map((part) => part.trim().split('='))
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!isRecent(timestamp, now)) return false
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
  return parts.some(([name, value = '']) => name === 'v1' && isSame(Buffer.from(value, 'hex'), expected))
}

function slack({ headers, body, secret, now }: Signed): boolean {
  const timestamp = text(headers['x-slack-request-timestamp'])
  if (!isRecent(timestamp, now)) return false
  const expected = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest()
  const [version, digest = ''] = text(headers['x-slack-signature']).split('=')
  return version === 'v0' && isSame(Buffer.from(digest, 'hex'), expected)
}

function text(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : ''
}

export function isRecent(timestamp: string, now: number): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(now - Number(timestamp)) <= TOLERANCE_SECONDS
}

function isSame(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected)
}
