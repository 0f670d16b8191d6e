import {
  defineComponent,
  HANDSHAKES,
  HMAC_ALGORITHMS,
  HMAC_ENCODINGS,
  SIGNATURE_SCHEMES,
  WEBHOOK_AUTHS,
  WEBHOOK_METHODS
} from '../../plugin-api.ts'
import { webhookFaults } from './webhook-faults.ts'

/** When the caller is answered: that the run has started, or what the flow says. */
const RESPOND_WHEN = ['At once', 'When the flow answers'] as const

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
    respond: {
      kind: 'choice',
      title: 'Respond',
      help: 'When the caller gets its answer: at once that the run has started, or what a Respond node says, or a Return gives.',
      choices: RESPOND_WHEN,
      default: 'At once'
    },
    respond_within: {
      kind: 'text',
      title: 'Respond within',
      help: 'How long the caller is kept waiting, at most 5m; then it is told that the run has started.',
      default: '30s',
      placeholder: '30s',
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
      title: 'Connection',
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
    schema: {
      kind: 'json',
      title: 'Schema',
      help: 'JSON Schema of the payload. What does not fit is refused with 422, which says what is wrong.',
      placeholder: '{"type": "object", "required": ["order_id"]}',
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
  check: webhookFaults,
  run: ({ run }) => ({ data: run.input, request: run.request })
})
