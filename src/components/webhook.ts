import {
  compileTemplate,
  defineComponent,
  type FieldFault,
  HANDSHAKES,
  HMAC_ALGORITHMS,
  HMAC_ENCODINGS,
  isHeaderName,
  originFault,
  readSignedText,
  SIGNATURE_SCHEMES,
  templateFault,
  WEBHOOK_AUTHS,
  WEBHOOK_METHODS
} from '../plugin-api.ts'

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
    token_header: {
      kind: 'text',
      title: 'Token header',
      help: 'The header that holds the token, with or without "Bearer" before it. Used with authentication by token.',
      placeholder: 'authorization',
      default: 'authorization',
      hidden: true
    },
    basic_user: {
      kind: 'text',
      title: 'User name',
      help: 'The name that comes with the password. Used with basic authentication; the password is the secret.',
      hidden: true
    },
    signature_scheme: {
      kind: 'choice',
      title: 'Signature scheme',
      help: 'How the sender signs its requests. Used with authentication by signature.',
      choices: SIGNATURE_SCHEMES,
      default: 'Standard Webhooks',
      hidden: true
    },
    signature_header: {
      kind: 'text',
      title: 'Signature header',
      help: 'The header that holds the signature. Used with the scheme HMAC.',
      placeholder: 'x-signature',
      hidden: true
    },
    signature_algorithm: {
      kind: 'choice',
      title: 'Signature algorithm',
      help: 'What the signature is computed by. Used with the scheme HMAC.',
      choices: HMAC_ALGORITHMS,
      default: 'sha256',
      hidden: true
    },
    signature_encoding: {
      kind: 'choice',
      title: 'Signature encoding',
      help: 'How the signature is written. Used with the scheme HMAC.',
      choices: HMAC_ENCODINGS,
      default: 'hex',
      hidden: true
    },
    signature_prefix: {
      kind: 'text',
      title: 'Signature prefix',
      help: 'What stands before the signature in its header. Used with the scheme HMAC.',
      placeholder: 'sha256=',
      hidden: true
    },
    signed_text: {
      kind: 'text',
      title: 'Signed text',
      help: 'What is signed: {body}, and where the sender signs more {header:name}, {method} or {url}. Used with the scheme HMAC.',
      placeholder: '{header:x-timestamp}.{body}',
      default: '{body}',
      hidden: true
    },
    timestamp_header: {
      kind: 'text',
      title: 'Timestamp header',
      help: 'The header that holds the time of signing in seconds since 1970, at most 5 minutes from now. Empty: the sender sends none. Used with the scheme HMAC.',
      hidden: true
    },
    connection: {
      kind: 'connection',
      title: 'Sender',
      help: 'The connection that holds the secret: what the sender signs with, or sends as its token or password.',
      kinds: ['webhook'],
      optional: true,
      hidden: true
    },
    signing_secret: {
      kind: 'secret',
      title: 'Secret',
      help: 'The secret that is shared with the sender, of 16 characters or more. It moves into a connection when the draft is saved.',
      hidden: true
    },
    handshake: {
      kind: 'choice',
      title: 'Handshake',
      help: 'Answers what a sender asks before it sends. Such a question starts no run.',
      choices: HANDSHAKES,
      default: 'None',
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
    ...tokenFaults(fields),
    ...basicFaults(fields),
    ...ruleFaults(fields),
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

interface TokenFields {
  readonly auth: string
  readonly token_header: string
}

function tokenFaults({ auth, token_header }: TokenFields): FieldFault[] {
  return auth === 'Token' ? headerFaults('token_header', token_header) : []
}

interface BasicFields {
  readonly auth: string
  readonly basic_user: string
}

/** What follows the first colon is the password, so a name has none. */
function basicFaults({ auth, basic_user }: BasicFields): FieldFault[] {
  if (auth !== 'Basic') return []
  if (basic_user === '') return [{ field: 'basic_user', message: 'Basic authentication needs a user name.' }]
  return basic_user.includes(':')
    ? [{ field: 'basic_user', message: 'A user name holds no colon: what follows it is the password.' }]
    : []
}

interface RuleFields {
  readonly auth: string
  readonly signature_scheme: string
  readonly signature_header: string
  readonly signed_text: string
  readonly timestamp_header: string
}

/** Without a whole rule no signature is good, and nobody would know why. */
function ruleFaults(fields: RuleFields): FieldFault[] {
  if (fields.auth !== 'Signature' || fields.signature_scheme !== 'HMAC') return []
  return [
    ...headerFaults('signature_header', fields.signature_header),
    ...signedTextFaults(fields.signed_text),
    ...(fields.timestamp_header.trim() === ''
      ? []
      : headerFaults('timestamp_header', fields.timestamp_header))
  ]
}

function headerFaults(field: string, name: string): FieldFault[] {
  if (isHeaderName(name.trim())) return []
  const what = name.trim() === '' ? 'There is none' : `${JSON.stringify(name)} is none`
  return [{ field, message: `It takes the name of a header, such as x-signature. ${what}.` }]
}

function signedTextFaults(text: string): FieldFault[] {
  const field = 'signed_text'
  if (readSignedText(text) === undefined) {
    const message =
      'It does not hold {body}: a signature of anything else would be good for whatever is sent with it.'
    return [{ field, message }]
  }
  const [unknown] = /\{(?!(?:body|method|url|header:[^{}\s]+)\})[^{}]*\}/.exec(text) ?? []
  if (unknown === undefined) return []
  const message = `${unknown} is not known here. What is signed may hold {body}, {header:name}, {method} and {url}.`
  return [{ field, message }]
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
