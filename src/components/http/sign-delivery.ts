import { createHmac } from 'node:crypto'
import { isGoodKey, keyTextOf, SIGNATURE_VERSION, StepError, signedBeginning } from '../../plugin-api.ts'

interface Delivery {
  /** The same for every attempt. */
  readonly id: string
  /** Of this attempt, in milliseconds. */
  readonly now: number
  readonly body: string | Uint8Array
  /** Several, while the secret is being changed; none where it is not signed. */
  readonly secrets: readonly string[]
}

/** The headers of Standard Webhooks. */
export function deliveryHeaders({ id, now, body, secrets }: Delivery): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp }
  if (secrets.length === 0) return headers
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(keyTextOf(secret), 'base64')
    const digest = createHmac('sha256', key).update(signedBeginning(id, timestamp)).update(body)
    return SIGNATURE_VERSION + digest.digest('base64')
  })
  return { ...headers, 'webhook-signature': signatures.join(' ') }
}

/** While a secret is changed, the old and the new one stand in one text, parted by commas or white space. */
export function secretsOf(text: string): readonly string[] {
  const secrets = text.split(/[\s,]+/).filter((secret) => secret !== '')
  if (secrets.length > 0 && secrets.every(isGoodKey)) return secrets
  throw new StepError(
    'The signing secret of the connection is not base64. Paste it as the receiver shows it, for example "whsec_…".',
    { code: 'signing_secret_invalid', retryable: false }
  )
}
