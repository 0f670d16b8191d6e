import { defineComponent, type FieldFault, WEBHOOK_AUTHS } from '../plugin-api.ts'

export const SIGNATURE_SCHEMES = ['Standard Webhooks', 'GitHub', 'Stripe', 'Slack'] as const

/** Starts a run for every POST to the flow's endpoint. The fields say what the endpoint asks of its callers. */
export const webhook = defineComponent({
  type: 'webhook',
  title: 'Webhook',
  description: 'Starts the flow when a request arrives; the payload becomes its data.',
  category: 'Triggers',
  icon: 'webhook',
  effects: 'pure',
  trigger: 'webhook',
  fields: {
    endpoint: {
      kind: 'text',
      title: 'Endpoint',
      help: 'Send a POST request to this address.',
      copy: true,
      readonly: true
    },
    curl: {
      kind: 'text',
      title: 'curl',
      help: 'A command that starts the flow. Edit it to try other payloads.',
      multiline: true,
      copy: true,
      hidden: true
    },
    auth: {
      kind: 'choice',
      title: 'Authentication',
      help: 'What the endpoint asks of its callers.',
      choices: WEBHOOK_AUTHS,
      default: 'API key'
    },
    signature_scheme: {
      kind: 'choice',
      title: 'Signature scheme',
      help: 'How the sender signs its requests. Used with authentication by signature.',
      choices: SIGNATURE_SCHEMES,
      default: 'Standard Webhooks',
      hidden: true
    },
    signing_secret: {
      kind: 'secret',
      title: 'Signing secret',
      help: 'The secret that the sender signs with. Without it every signed request is refused.',
      hidden: true
    },
    rate_limit: {
      kind: 'number',
      title: 'Rate limit',
      help: 'Requests that are accepted per minute; 0 sets no limit.',
      default: 0,
      min: 0,
      max: 1_000_000,
      integer: true,
      hidden: true
    },
    concurrency: {
      kind: 'number',
      title: 'Concurrency',
      help: 'Runs of this flow that go on at the same time; 0 sets no limit.',
      default: 0,
      min: 0,
      max: 10_000,
      integer: true,
      hidden: true
    }
  },
  outputs: {
    data: { title: 'Data', type: 'data', help: 'The payload as it was sent.' },
    request: { title: 'Request', type: 'data', help: 'Method, headers, query and address of the request.' }
  },
  check: ({ auth, signing_secret, signature_scheme }): FieldFault[] =>
    auth === 'Signature' && signature_scheme === 'Standard Webhooks' && isBadSecret(signing_secret)
      ? [
          {
            field: 'signing_secret',
            message: 'The secret is not base64. Paste it as the sender shows it, for example "whsec_…".'
          }
        ]
      : [],
  run: ({ run }) => ({ data: run.input, request: run.request })
})

/** Text that holds no base64 stands for an empty key, and with that anyone could sign. A variable is not known yet. */
function isBadSecret(secret: string): boolean {
  return (
    secret !== '' && !secret.includes('{$') && !/^[A-Za-z0-9+/_-]{2,}=*$/.test(secret.replace(/^whsec_/, ''))
  )
}
