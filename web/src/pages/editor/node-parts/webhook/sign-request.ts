/** What is signed, and with what. */
interface Unsigned {
  readonly scheme: string
  readonly secret: string
  readonly body: string
  /** The id that the request gets, where its scheme gives it one. */
  readonly id: string
  /** Milliseconds since 1970. */
  readonly now: number
}

type Headers = Readonly<Record<string, string>>
type Scheme = (unsigned: Unsigned, seconds: number) => Promise<Headers>

/** The other side of src/http/webhook/webhook-signature.ts: what senders do before they send. */
const SCHEMES: Readonly<Record<string, Scheme>> = {
  'Standard Webhooks': async ({ secret, body, id }, seconds) => {
    const key = bytesOfBase64(secret.replace(/^whsec_/, ''))
    const signature = base64(await hmac(key, `${id}.${seconds}.${body}`))
    return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
  },
  GitHub: async ({ secret, body }) => {
    return { 'x-hub-signature-256': `sha256=${hex(await hmac(utf8(secret), body))}` }
  },
  Stripe: async ({ secret, body }, seconds) => {
    return { 'stripe-signature': `t=${seconds},v1=${hex(await hmac(utf8(secret), `${seconds}.${body}`))}` }
  },
  Slack: async ({ secret, body }, seconds) => {
    const signature = hex(await hmac(utf8(secret), `v0:${seconds}:${body}`))
    return { 'x-slack-request-timestamp': String(seconds), 'x-slack-signature': `v0=${signature}` }
  }
}

/** Browsers sign on secure pages only: over TLS, or on this very machine. */
export function canSign(): boolean {
  return globalThis.crypto?.subtle !== undefined
}

/** The headers that a sender of this scheme adds. */
export async function signRequest(unsigned: Unsigned): Promise<Headers> {
  const sign = Object.hasOwn(SCHEMES, unsigned.scheme) ? SCHEMES[unsigned.scheme] : undefined
  return sign === undefined ? {} : sign(unsigned, Math.floor(unsigned.now / 1000))
}

async function hmac(secret: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8(text)))
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>
}

/** Secrets are written with either alphabet; see isBadSecret in src/components/webhook/webhook.ts. */
function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, ''))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
