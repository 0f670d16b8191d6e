import { isPlainObject, type JsonValue } from '../../../../src/flows/json/exact-json.ts'
import { SENDERS, type Sender } from '../senders/senders.ts'

/** Who sent a request, as far as it tells. */
export interface KnownSender {
  readonly sender: Sender
  /** The header, or the key, that tells it. */
  readonly by: string
  /** False: the fields say what its signature looked like. */
  readonly isListed: boolean
}

interface Sent {
  readonly headers: Readonly<Record<string, unknown>>
  readonly payload: JsonValue
}

type Tells = (sent: Sent) => string | undefined

const header =
  (...names: readonly string[]): Tells =>
  ({ headers }) =>
    names.find((name) => headers[name] !== undefined)

const key =
  (...names: readonly string[]): Tells =>
  ({ payload }) =>
    names.find((name) => isPlainObject(payload) && Object.hasOwn(payload, name))

/** The most telling first: GitHub's own header before the signature that others have copied from it. */
const TELLING: readonly (readonly [sender: string, Tells])[] = [
  ['Stripe', header('stripe-signature')],
  ['GitLab', header('x-gitlab-event', 'x-gitlab-token')],
  ['GitHub', header('x-github-event')],
  ['Shopify', header('x-shopify-hmac-sha256', 'x-shopify-topic')],
  ['Slack', header('x-slack-signature', 'x-slack-request-timestamp')],
  ['SendGrid', header('x-twilio-email-event-webhook-signature')],
  ['Twilio', header('x-twilio-signature')],
  ['Calendly', header('calendly-webhook-signature')],
  ['Telegram', header('x-telegram-bot-api-secret-token')],
  ['Telegram', key('update_id')],
  ['Typeform', header('typeform-signature')],
  ['Linear', header('linear-signature')],
  ['Notion', header('x-notion-signature')],
  ['Zendesk', header('x-zendesk-webhook-signature')],
  ['PayPal', header('paypal-transmission-sig', 'paypal-transmission-id')],
  ['Langflow triggers', header('x-langflow-signature')],
  ['Meta (WhatsApp, Messenger, Instagram)', isOfMeta],
  ['Svix, or any by Standard Webhooks', header('webhook-signature')]
]

function isOfMeta({ headers, payload }: Sent): string | undefined {
  const objects = ['whatsapp_business_account', 'page', 'instagram']
  const isTold = isPlainObject(payload) && objects.includes(String(payload.object))
  return isTold && headers['x-hub-signature-256'] !== undefined ? 'x-hub-signature-256' : undefined
}

const DIGEST = /^(?<prefix>[^[]*)\[(?<length>\d+) (?<encoding>hex|base64)\]$/

const ALGORITHMS: Readonly<Record<string, string>> = {
  '40': 'sha1',
  '64': 'sha256',
  '128': 'sha512',
  '28': 'sha1',
  '44': 'sha256',
  '88': 'sha512'
}

/** By the headers of a request as a test address keeps them: what was secret is a shape. */
export function senderOfRequest(sent: Sent): KnownSender | undefined {
  for (const [name, tells] of TELLING) {
    const by = tells(sent)
    const sender = by === undefined ? undefined : SENDERS.find((one) => one.name === name)
    if (by !== undefined && sender !== undefined) return { sender, by, isListed: true }
  }
  return unknownSigner(sent)
}

/** Somebody whom the list does not have signs the body by a digest: the fields say how it seems to be made. */
function unknownSigner({ headers }: Sent): KnownSender | undefined {
  for (const [by, value] of Object.entries(headers)) {
    const { prefix, length, encoding } = DIGEST.exec(String(value))?.groups ?? {}
    if (length === undefined || encoding === undefined) continue
    const fields = {
      auth: 'Signature',
      signature_scheme: 'HMAC',
      signature_header: by,
      signature_algorithm: ALGORITHMS[length]!,
      signature_encoding: encoding,
      ...(prefix ? { signature_prefix: prefix } : {})
    }
    const where = 'The settings of the sender have the secret that it is made with.'
    return { by, isListed: false, sender: { name: 'another sender', fields, secret: 'secret', where } }
  }
  return undefined
}
