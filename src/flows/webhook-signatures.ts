/** How senders sign what they send, as the Webhook node says it; http/webhook/signatures checks and makes signatures. */
export const SIGNATURE_SCHEMES = [
  'Standard Webhooks',
  'GitHub',
  'Stripe',
  'Slack',
  'Shopify',
  'Twilio',
  'Calendly',
  'SendGrid',
  'HMAC'
] as const

export const HMAC_ALGORITHMS = ['sha256', 'sha1', 'sha512'] as const
export const HMAC_ENCODINGS = ['hex', 'base64'] as const

/** How a sender that has no scheme of its own here signs its requests. */
export interface HmacRule {
  /** In lower case. */
  readonly header: string
  readonly algorithm: (typeof HMAC_ALGORITHMS)[number]
  readonly encoding: (typeof HMAC_ENCODINGS)[number]
  /** What stands before the signature, such as `sha256=`. */
  readonly prefix: string
  readonly signedText: readonly SignedPiece[]
  /** In lower case; null where the sender signs no time. */
  readonly timestampHeader: string | null
}

export type SignedPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'header'; readonly name: string }
  | { readonly kind: 'body' | 'method' | 'url' }

const PIECE = /\{(?:header:([A-Za-z0-9!#$%&'*+.^_`|~-]+)|(body|method|url))\}/g

/** As RFC 9110 spells the name of a header. */
const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/

export function isHeaderName(text: string): boolean {
  return HEADER.test(text)
}

/**
 * What is signed, piece by piece. Undefined where the body is no part of it: such a signature would be good for any body,
 * whoever sent it.
 */
export function readSignedText(template: string): readonly SignedPiece[] | undefined {
  const pieces: SignedPiece[] = []
  let end = 0
  const text = (from: string) => {
    if (from !== '') pieces.push({ kind: 'text', text: from })
  }
  for (const found of template.matchAll(PIECE)) {
    text(template.slice(end, found.index))
    const [whole, header, kind] = found
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

/** The rule that the fields of a Webhook say; null where they say none, and then no signature is good. */
export function readHmacRule(fields: Readonly<Record<string, unknown>>): HmacRule | null {
  const text = (name: string) => String(fields[name] ?? '').trim()
  const header = text('signature_header').toLowerCase()
  const algorithm = HMAC_ALGORITHMS.find((one) => one === fields.signature_algorithm)
  const encoding = HMAC_ENCODINGS.find((one) => one === fields.signature_encoding)
  const signedText = readSignedText(String(fields.signed_text ?? ''))
  if (!isHeaderName(header) || algorithm === undefined || encoding === undefined) return null
  if (signedText === undefined) return null
  const timestampHeader = text('timestamp_header').toLowerCase() || null
  return { header, algorithm, encoding, prefix: text('signature_prefix'), signedText, timestampHeader }
}
