import { createHmac, hash } from 'node:crypto'
import { isSame, type Scheme, type SignedRequest, textOf } from './scheme.ts'

const HEADER = 'x-twilio-signature'

export const twilio: Scheme = {
  headers: [HEADER],
  time: () => undefined,
  check: (request, secret) => {
    const sent = Buffer.from(textOf(request.headers[HEADER]), 'base64')
    return formsOf(request.url).some((url) => {
      const expected = twilioSignature({ ...request, url }, secret)
      return expected !== undefined && isSame(sent, expected)
    })
  },
  sign: (request, secret) => ({
    [HEADER]: twilioSignature(request, secret)?.toString('base64') ?? ''
  }),
  query: ({ headers, body }) =>
    isForm(headers) || body.length === 0 ? {} : { bodySHA256: hash('sha256', body, 'hex') }
}

function isForm(headers: SignedRequest['headers']): boolean {
  const type = String(headers['content-type'] ?? '').toLowerCase()
  return type.startsWith('application/x-www-form-urlencoded')
}

/**
 * X-Twilio-Signature: SHA-1 of the address, followed by the names and values of the form in the order of their names. Of any other
 * body the address holds the digest, as `bodySHA256`.
 */
export function twilioSignature({ headers, url, body }: SignedRequest, secret: string): Buffer | undefined {
  const hmac = createHmac('sha1', secret).update(url)
  if (isForm(headers)) {
    if (hasManyFields(body)) return undefined
    for (const [name, value] of sortedFields(body)) hmac.update(name + value)
    return hmac.digest()
  }
  if (body.length === 0) return hmac.digest()
  const digest = URL.canParse(url) ? new URL(url).searchParams.get('bodySHA256') : null
  return digest !== null && digest.toLowerCase() === hash('sha256', body, 'hex') ? hmac.digest() : undefined
}

/** Twilio signs the address with the port or without it, whatever it was told: its own libraries try both. */
function formsOf(url: string): string[] {
  const [, start = '', port = '', rest = ''] = /^(https?:\/\/[^/?#]*?)(:\d+)?([/?#].*)?$/.exec(url) ?? []
  if (start === '') return [url]
  const byDefault = start.startsWith('https:') ? ':443' : ':80'
  return [...new Set([url, `${start}${rest}`, `${start}${port || byDefault}${rest}`])]
}

/** Twilio sends a few dozen. Anybody may send more, and sorting those would hold others up. */
const MOST_FIELDS = 1_000

function hasManyFields(body: Uint8Array): boolean {
  const ampersand = 0x26
  let fields = 1
  for (let at = body.indexOf(ampersand); at >= 0; at = body.indexOf(ampersand, at + 1)) {
    if (++fields > MOST_FIELDS) return true
  }
  return false
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
