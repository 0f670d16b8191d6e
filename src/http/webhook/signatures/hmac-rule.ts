import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type HmacRule, readSignedText, type SignedPiece } from '../../../flows/webhook-signatures.ts'
import { isSame, type Moment, type Scheme, type SignedRequest, textOf } from './scheme.ts'

/** What a rule says where it does not say otherwise: SHA-256 of the body, in hex. */
const PLAIN = { algorithm: 'sha256', encoding: 'hex', prefix: '', timestampHeader: null } as const

/** A scheme of a sender that signs as any other does. */
export function schemeByRule(
  said: Partial<HmacRule> & Pick<HmacRule, 'header'>,
  signedText = '{body}'
): Scheme {
  return hmacScheme({ ...PLAIN, signedText: readSignedText(signedText)!, ...said })
}

export function hmacScheme(rule: HmacRule): Scheme {
  const { timestampHeader } = rule
  return {
    headers: [rule.header],
    time: (headers) => (timestampHeader === null ? undefined : textOf(headers[timestampHeader])),
    check: (request, secret) => {
      const sent = sentHmac(rule, request.headers)
      const expected = hmacOf(rule, request, secret)
      return sent !== undefined && expected !== undefined && isSame(sent, expected)
    },
    sign: (request, secret, moment) => {
      const added = headersOf(rule, request, moment)
      const signature = hmacOf(rule, { ...request, headers: { ...request.headers, ...added } }, secret)!
      return { ...added, [rule.header]: rule.prefix + signature.toString(rule.encoding) }
    }
  }
}

/** The headers that are signed, with what a sender might write there: the time in seconds, elsewhere as a date. */
function headersOf(
  { signedText, timestampHeader }: HmacRule,
  { headers }: SignedRequest,
  { seconds }: Moment
): Record<string, string> {
  const named = signedText.flatMap((piece) => (piece.kind === 'header' ? [piece.name] : []))
  const missing = named.filter((name) => headers[name] === undefined)
  const date = new Date(seconds * 1000).toISOString()
  return {
    ...Object.fromEntries(missing.map((name) => [name, date])),
    ...(timestampHeader === null ? {} : { [timestampHeader]: String(seconds) })
  }
}

/** The signature that this request must carry. Undefined where a header that is signed is not there. */
export function hmacOf(rule: HmacRule, request: SignedRequest, secret: string): Buffer | undefined {
  const hmac = createHmac(rule.algorithm, secret)
  for (const piece of rule.signedText) {
    const bytes = bytesOf(piece, request)
    if (bytes === undefined) return undefined
    hmac.update(bytes)
  }
  return hmac.digest()
}

function bytesOf(
  piece: SignedPiece,
  { headers, method, url, body }: SignedRequest
): string | Uint8Array | undefined {
  switch (piece.kind) {
    case 'text':
      return piece.text
    case 'header': {
      const value = headers[piece.name]
      return typeof value === 'string' ? value : undefined
    }
    case 'body':
      return body
    case 'method':
      return method
    case 'url':
      return url
  }
}

/** The bytes of the signature as it was sent; undefined where it does not begin as it must. */
export function sentHmac(
  { header, prefix, encoding }: HmacRule,
  headers: IncomingHttpHeaders
): Buffer | undefined {
  const sent = headers[header]
  if (typeof sent !== 'string' || !sent.startsWith(prefix)) return undefined
  return Buffer.from(sent.slice(prefix.length).trim(), encoding)
}
