import {
  compileTemplate,
  defineComponent,
  type FieldFault,
  originFault,
  templateFault,
  WEBHOOK_AUTHS,
  WEBHOOK_METHODS
} from '../plugin-api.ts'

export const SIGNATURE_SCHEMES = ['Standard Webhooks', 'GitHub', 'Stripe', 'Slack'] as const

/** Starts a run for every request to the flow's endpoint. The fields say what the endpoint asks of its callers. */
export const webhook = defineComponent({
  type: 'webhook',
  title: 'Webhook',
  description: 'Starts the flow when a request arrives; the payload becomes its data.',
  category: 'Triggers',
  icon: 'webhook',
  keywords: [
    'hook',
    'http in',
    'endpoint',
    'url',
    'callback',
    'incoming request',
    'listen',
    'trigger',
    'post',
    'event'
  ],
  example: 'A shop posts {"order_id": 7} to its address, and the flow runs with that.',
  effects: 'pure',
  trigger: 'webhook',
  fields: {
    endpoint: {
      kind: 'text',
      title: 'Endpoint',
      help: 'Send requests to this address.',
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
    methods: {
      kind: 'list',
      title: 'Methods',
      help: 'Which requests start the flow. Of a GET, and of a DELETE without a body, the query is the data.',
      item: 'method',
      choices: WEBHOOK_METHODS,
      default: ['POST'],
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
    connection: {
      kind: 'connection',
      title: 'Sender',
      help: 'The connection that holds the secret the sender signs with.',
      kinds: ['webhook'],
      optional: true,
      hidden: true
    },
    signing_secret: {
      kind: 'secret',
      title: 'Signing secret',
      help: 'The secret that the sender signs with, of 16 characters or more. It moves into a connection when the draft is saved.',
      hidden: true
    },
    cors_origins: {
      kind: 'list',
      title: 'Origins',
      help: 'Origins whose pages may call it from a browser, such as https://shop.example.com; * are all. What such a page knows, everybody can read: give it no key that may do more than start this flow.',
      item: 'origin',
      maxItems: 100,
      hidden: true
    },
    rate_limit: {
      kind: 'number',
      title: 'Rate limit',
      help: 'Requests that are accepted per minute; 0 sets no limit.',
      placeholder: 'No limit',
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
      placeholder: 'No limit',
      default: 0,
      min: 0,
      max: 10_000,
      integer: true,
      hidden: true
    },
    deduplicate_by: {
      kind: 'template',
      title: 'Deduplicate by',
      help: 'What makes a delivery unique, read from the payload: {id} for Stripe. One that comes again within a day starts nothing.',
      placeholder: '{id}',
      hidden: true
    },
    hide: {
      kind: 'text',
      title: 'Hide',
      help: 'Headers and query parameters that are neither stored nor shown, separated by commas. What looks like a secret, such as x-gitlab-token or ?token=, is hidden anyway.',
      placeholder: 'x-shop-pin, pin',
      hidden: true
    }
  },
  outputs: {
    data: { title: 'Data', type: 'data', help: 'The payload as it was sent.' },
    request: {
      title: 'Request',
      type: 'data',
      help: 'Method, headers, query and address of the request, without secrets.'
    }
  },
  check: (fields): FieldFault[] => [
    ...methodFaults(fields.methods),
    ...secretFaults(fields),
    ...originFaults(fields.cors_origins),
    ...templateFaults(fields.deduplicate_by)
  ],
  run: ({ run }) => ({ data: run.input, request: run.request })
})

function methodFaults(methods: readonly string[]): FieldFault[] {
  if (methods.length > 0) return []
  return [
    { field: 'methods', message: 'No request could start the flow. Choose at least one, such as POST.' }
  ]
}

function originFaults(origins: readonly string[]): FieldFault[] {
  return origins
    .map(originFault)
    .filter((fault) => fault !== undefined)
    .map((message) => ({ field: 'cors_origins', message }))
}

interface SignatureFields {
  readonly auth: string
  readonly signing_secret: string
  readonly signature_scheme: string
}

function secretFaults({ auth, signing_secret, signature_scheme }: SignatureFields): FieldFault[] {
  if (auth !== 'Signature' || signature_scheme !== 'Standard Webhooks' || !isBadSecret(signing_secret))
    return []
  return [
    {
      field: 'signing_secret',
      message: 'The secret is not base64. Paste it as the sender shows it, for example "whsec_…".'
    }
  ]
}

function templateFaults(template: string): FieldFault[] {
  if (template === '') return []
  const fault = templateFault(template)
  if (fault !== undefined) return [{ field: 'deduplicate_by', ...fault }]
  if (compileTemplate(template).variables.length > 0) return []
  return [
    {
      field: 'deduplicate_by',
      message: 'It reads nothing of the payload, so all requests would be one. Name a key, such as {id}.'
    }
  ]
}

/** Text that holds no base64 stands for an empty key, and with that anyone could sign. A variable is not known yet. */
function isBadSecret(secret: string): boolean {
  return (
    secret !== '' && !secret.includes('{$') && !/^[A-Za-z0-9+/_-]{2,}=*$/.test(secret.replace(/^whsec_/, ''))
  )
}
