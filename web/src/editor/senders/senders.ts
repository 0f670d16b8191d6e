/** Somebody who sends webhooks: what a Webhook has to say so that it is let in, and what its own settings are called. */
export interface Sender {
  readonly name: string
  /** Fields of the Webhook; what is not named here has its default. */
  readonly fields: Readonly<Record<string, string>>
  /** What the sender calls the secret; absent where there is none. */
  readonly secret?: string
  /** Where in the sender's settings the address and the secret go. */
  readonly where: string
  /** What this way does not do, or what else has to be done. */
  readonly note?: string
}

const TOKEN = { auth: 'Token' }
const HMAC = { auth: 'Signature', signature_scheme: 'HMAC' }
const signed = (signature_scheme: string) => ({ auth: 'Signature', signature_scheme })

/** By name. What each sends is written from its own documentation; docs/senders.md has the same in a table. */
export const SENDERS: readonly Sender[] = [
  {
    name: 'Calendly',
    fields: signed('Calendly'),
    secret: 'signing key',
    where:
      'Webhooks are made by its API: POST /webhook_subscriptions with this address as url and the secret as signing_key.'
  },
  {
    name: 'GitHub',
    fields: signed('GitHub'),
    secret: 'Secret',
    where:
      'Settings of the repository or organisation, Webhooks, Add webhook: Payload URL is this address, Content type application/json.'
  },
  {
    name: 'GitLab',
    fields: { ...TOKEN, token_header: 'x-gitlab-token' },
    secret: 'Secret token',
    where: 'Settings of the project or group, Webhooks, Add new webhook: URL and Secret token.',
    note: 'A GitLab that offers a signing token signs by Standard Webhooks: choose Svix for that.'
  },
  {
    name: 'Langflow triggers',
    fields: {
      ...HMAC,
      signature_header: 'x-langflow-signature',
      signature_prefix: 'v1=',
      signed_text: 'v1:{header:x-langflow-timestamp}:{body}',
      timestamp_header: 'x-langflow-timestamp'
    },
    secret: 'signing secret',
    where:
      'Whoever posts to an inbound webhook trigger of Langflow posts to this address instead, signed with the same secret.'
  },
  {
    name: 'Linear',
    fields: { ...HMAC, signature_header: 'linear-signature' },
    secret: 'Signing secret',
    where:
      'Settings, API, Webhooks, New webhook: URL. The signing secret is shown on the page of the webhook.'
  },
  {
    name: 'Mailgun',
    fields: { auth: 'Basic', basic_user: 'mailgun', deduplicate_by: '{signature.token}' },
    secret: 'the password that you put into the address',
    where:
      'Sending, Webhooks, Add webhook: this address with name and password in it, https://mailgun:PASSWORD@…',
    note: 'Mailgun signs a time and a token in its body, and not what else the body says, so a name and a password stand in its place.'
  },
  {
    name: 'Meta (WhatsApp, Messenger, Instagram)',
    fields: { ...signed('GitHub'), handshake: 'Meta' },
    secret: 'App secret, and a Verify token that you make up',
    where:
      'App dashboard, Webhooks: Callback URL is this address. App secret stands under App settings, Basic.',
    note: 'The secret holds both, separated by a space, each of 16 characters or more. Publish before you click Verify and save: the question is answered by the live flow.'
  },
  {
    name: 'Microsoft Graph',
    fields: { auth: 'None', handshake: 'Microsoft Graph' },
    where:
      'POST /subscriptions with this address as notificationUrl, and a clientState that you make up. Publish before: Graph asks at once.',
    note: 'Graph signs nothing and sends no header: it repeats clientState in every item of value. Compare it in the flow, with If-Else, before anything else.'
  },
  {
    name: 'Notion',
    fields: {
      ...HMAC,
      signature_header: 'x-notion-signature',
      signature_prefix: 'sha256=',
      deduplicate_by: '{id}'
    },
    secret: 'verification_token',
    where: 'Settings of the integration, Webhooks, Create a subscription: this address.',
    note: 'Notion sends the token once, unsigned, when the subscription is made. Publish with Authentication None for that one request, read verification_token in its run, then choose Notion here with it as the secret, and click Verify there.'
  },
  {
    name: 'PayPal',
    fields: { auth: 'None', deduplicate_by: '{id}' },
    where: 'Developer dashboard, Apps & Credentials, the app, Add webhook: Webhook URL is this address.',
    note: 'PayPal signs by a certificate that has to be fetched, which is not done here: anyone can send. Before the flow believes an event, let an API Request ask PayPal: POST /v1/notifications/verify-webhook-signature, with the headers of request.'
  },
  {
    name: 'SendGrid',
    fields: signed('SendGrid'),
    secret: 'Verification key',
    where:
      'Settings, Mail Settings, Event Webhooks: Post URL is this address; turn on Signed Event Webhook and copy the verification key.',
    note: 'The key is public: nobody but SendGrid can sign, so a test cannot be sent from here. Inbound Parse is not signed: use Basic, with https://name:password@… as its address.'
  },
  {
    name: 'Shopify',
    fields: signed('Shopify'),
    secret: 'Client secret of the app; for webhooks of the admin, the secret shown below them',
    where: 'Settings, Notifications, Webhooks, Create webhook: URL is this address, Format JSON.'
  },
  {
    name: 'Slack',
    fields: { ...signed('Slack'), handshake: 'Slack', deduplicate_by: '{event_id}' },
    secret: 'Signing Secret',
    where:
      'api.slack.com/apps, the app: Signing Secret stands under Basic Information. The address is the Request URL of Event Subscriptions, Slash Commands or Interactivity.',
    note: 'Publish before you enter the Request URL: Slack asks at once.'
  },
  {
    name: 'Stripe',
    fields: { ...signed('Stripe'), deduplicate_by: '{id}' },
    secret: 'Signing secret (whsec_…)',
    where:
      'Developers, Webhooks, Add endpoint: Endpoint URL is this address. The signing secret is shown there.'
  },
  {
    name: 'Svix, or any by Standard Webhooks',
    fields: signed('Standard Webhooks'),
    secret: 'Signing secret (whsec_…)',
    where:
      'The page of webhooks of the service that sends: add this address as an endpoint; its page shows the secret.'
  },
  {
    name: 'Telegram',
    fields: { ...TOKEN, token_header: 'x-telegram-bot-api-secret-token', deduplicate_by: '{update_id}' },
    secret: 'secret_token',
    where: 'Call setWebhook of the bot with this address as url and the secret as secret_token.',
    note: 'The token may hold letters, digits, _ and -.'
  },
  {
    name: 'Twilio',
    fields: signed('Twilio'),
    secret: 'Auth Token',
    where:
      'The phone number or messaging service: this address as webhook, HTTP POST. The auth token stands on the first page of the console.',
    note: 'Twilio signs the address too: behind a proxy, MILLRACE_PUBLIC_URL must be what Twilio calls.'
  },
  {
    name: 'Typeform',
    fields: {
      ...HMAC,
      signature_header: 'typeform-signature',
      signature_encoding: 'base64',
      signature_prefix: 'sha256=',
      deduplicate_by: '{event_id}'
    },
    secret: 'Secret',
    where: 'Connect, Webhooks, Add a webhook: this address; Edit shows the field Secret.'
  },
  {
    name: 'Zendesk',
    fields: {
      ...HMAC,
      signature_header: 'x-zendesk-webhook-signature',
      signature_encoding: 'base64',
      signed_text: '{header:x-zendesk-webhook-signature-timestamp}{body}'
    },
    secret: 'Signing secret',
    where:
      'Admin Center, Apps and integrations, Webhooks, Create webhook: Endpoint URL is this address; Reveal secret shows the secret.',
    note: 'Zendesk writes the time as a date, so the age of a request is not checked.'
  }
]
