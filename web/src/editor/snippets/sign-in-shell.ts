import type { HmacRule, SignedPiece } from '../../../../src/flows/webhook-signatures.ts'

/** What a shell does before it sends a request that is signed. */
export interface ShellSignature {
  /** Commands that set SIGNATURE and what else the headers read. `$BODY` is the body. */
  readonly setUp: readonly string[]
  /** Each in double quotes. */
  readonly headers: readonly string[]
}

const TIME = 'TIME=$(date +%s)'

/** With openssl, which is wherever curl is. `-r` puts the digest first, in every version of it. */
const hex = (text: string, algorithm = 'sha256') =>
  `SIGNATURE=$(printf %s "${text}" | openssl dgst -${algorithm} -hmac "$SIGNING_SECRET" -r | cut -d ' ' -f 1)`

const base64 = (text: string, algorithm = 'sha256') =>
  `SIGNATURE=$(printf %s "${text}" | openssl dgst -${algorithm} -hmac "$SIGNING_SECRET" -binary | base64 | tr -d '\\n')`

/** The other side of src/http/webhook/signatures, as senders do it. */
const SCHEMES: Readonly<Record<string, ShellSignature>> = {
  'Standard Webhooks': {
    setUp: [
      TIME,
      'ID=msg_$TIME',
      // The key is what the secret is in base64, and bytes go to openssl as digits.
      `KEY=$(printf %s "\${SIGNING_SECRET#whsec_}" | tr -- '-_' '+/' | base64 -d | od -An -v -tx1 | tr -d ' \\n')`,
      'SIGNATURE=$(printf %s "$ID.$TIME.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)'
    ],
    headers: ['webhook-id: $ID', 'webhook-timestamp: $TIME', 'webhook-signature: v1,$SIGNATURE']
  },
  GitHub: { setUp: [hex('$BODY')], headers: ['x-hub-signature-256: sha256=$SIGNATURE'] },
  Stripe: { setUp: [TIME, hex('$TIME.$BODY')], headers: ['stripe-signature: t=$TIME,v1=$SIGNATURE'] },
  Slack: {
    setUp: [TIME, hex('v0:$TIME:$BODY')],
    headers: ['x-slack-request-timestamp: $TIME', 'x-slack-signature: v0=$SIGNATURE']
  },
  Shopify: { setUp: [base64('$BODY')], headers: ['x-shopify-hmac-sha256: $SIGNATURE'] },
  Calendly: {
    setUp: [TIME, hex('$TIME.$BODY')],
    headers: ['calendly-webhook-signature: t=$TIME,v1=$SIGNATURE']
  }
}

/** By what the fields of the Webhook say. */
function byRule(rule: HmacRule, address: string): ShellSignature {
  const { signedText, timestampHeader, encoding, algorithm, header, prefix } = rule
  const names = signedText.flatMap((piece) => (piece.kind === 'header' ? [piece.name] : []))
  const others = [...new Set(names)].filter((name) => name !== timestampHeader)
  const piece = (one: SignedPiece): string => {
    switch (one.kind) {
      case 'text':
        return quoted(one.text)
      case 'header':
        return one.name === timestampHeader ? '$TIME' : '$DATE'
      case 'body':
        return '$BODY'
      case 'method':
        return 'POST'
      case 'url':
        return quoted(address)
    }
  }
  const text = signedText.map(piece).join('')
  return {
    setUp: [
      ...(timestampHeader === null ? [] : [TIME]),
      ...(others.length === 0 ? [] : ['DATE=$(date -u +%Y-%m-%dT%H:%M:%SZ)']),
      encoding === 'hex' ? hex(text, algorithm) : base64(text, algorithm)
    ],
    headers: [
      ...(timestampHeader === null ? [] : [`${timestampHeader}: $TIME`]),
      ...others.map((name) => `${name}: $DATE`),
      `${header}: ${quoted(prefix)}$SIGNATURE`
    ]
  }
}

/** As it is, between double quotes. */
function quoted(text: string): string {
  return text.replace(/[\\$`"]/g, '\\$&')
}

/** Undefined where a shell cannot sign so, or nobody said how. */
export function shellSignature(
  scheme: string | undefined,
  hmac: HmacRule | null,
  address: string
): ShellSignature | undefined {
  if (scheme === 'HMAC') return hmac === null ? undefined : byRule(hmac, address)
  return scheme !== undefined && Object.hasOwn(SCHEMES, scheme) ? SCHEMES[scheme] : undefined
}
