/** What a shell does before it sends a request that is signed. */
export interface ShellSignature {
  /** Commands that set SIGNATURE and what else the headers read. `$BODY` is the body. */
  readonly setUp: readonly string[]
  /** Each in double quotes. */
  readonly headers: readonly string[]
}

const TIME = 'TIME=$(date +%s)'

/** With openssl, which is wherever curl is. `-r` puts the digest first, in every version of it. */
const hex = (text: string) =>
  `SIGNATURE=$(printf %s "${text}" | openssl dgst -sha256 -hmac "$SIGNING_SECRET" -r | cut -d ' ' -f 1)`

/** The other side of src/http/webhook/webhook-signature.ts, as senders do it. */
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
  }
}

/** Undefined for a scheme that is not known here. */
export function shellSignature(scheme: string | undefined): ShellSignature | undefined {
  return scheme !== undefined && Object.hasOwn(SCHEMES, scheme) ? SCHEMES[scheme] : undefined
}
