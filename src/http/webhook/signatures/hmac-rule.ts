import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** How a sender that has no scheme of its own here signs its requests, as the fields of the Webhook node say it. */
export interface HmacRule {
  /** In lower case. */
  readonly header: string
  readonly algorithm: HmacAlgorithm
  readonly encoding: HmacEncoding
  /** What stands before the signature, such as `sha256=`. */
  readonly prefix: string
  readonly signedText: readonly SignedPiece[]
  /** In lower case; null where the sender signs no time. */
  readonly timestampHeader: string | null
}

export const HMAC_ALGORITHMS = ['sha256', 'sha1', 'sha512'] as const
export const HMAC_ENCODINGS = ['hex', 'base64'] as const
export type HmacAlgorithm = (typeof HMAC_ALGORITHMS)[number]
export type HmacEncoding = (typeof HMAC_ENCODINGS)[number]

export type SignedPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'header'; readonly name: string }
  | { readonly kind: 'body' | 'method' | 'url' }

/** What a signature may be of. */
export interface SignedRequest {
  readonly headers: IncomingHttpHeaders
  readonly method: string
  /** As the sender called it: with scheme, host and query. */
  readonly url: string
  readonly body: Uint8Array
}

const PIECE = /\{(?:(body|method|url)|header:([^{}\s]+))\}/g

/** `{timestamp}.{body}` and the like. Undefined where the body is not in it: then a signature would be good for any body. */
export function readSignedText(template: string): readonly SignedPiece[] | undefined {
  const pieces: SignedPiece[] = []
  let end = 0
  const text = (from: string) => {
    if (from !== '') pieces.push({ kind: 'text', text: from })
  }
  for (const found of template.matchAll(PIECE)) {
    text(template.slice(end, found.index))
    const [whole, kind, header] = found
    pieces.push(
      header === undefined
        ? { kind: kind as 'body' | 'method' | 'url' }
        : { kind: 'header', name: header.toLowerCase() }
    )
    end = found.index + whole.length
  }
  text(template.slice(end))
  return pieces.some(({ kind }) => kind === 'body') ? pieces : undefined
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
