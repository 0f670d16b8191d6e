import type { ProblemCode } from '../../errors.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { PathText, StartAnswer } from '../schemas.ts'
import { LONGEST_IDEMPOTENCY_KEY } from './deliveries.ts'

const REPEATED = {
  'Idempotent-Replayed': {
    type: 'string',
    enum: ['true'],
    description: 'The delivery has come before and started this run then; this request started nothing'
  }
}

const OPERATION_IDS: Readonly<Record<string, string>> = {
  '/api/v1/webhook/': 'startFlow',
  '/v1/webhook/': 'startFlowByShortPath'
}

/** How the names of operations end, by method; a method without one is not described, since no flow takes it. */
const ENDINGS: Readonly<Partial<Record<string, string>>> = {
  POST: '',
  GET: 'WithGet',
  PUT: 'WithPut',
  PATCH: 'WithPatch',
  DELETE: 'WithDelete'
}

/** How the route of a method is described, at one of the paths. */
export function describedRoute(path: string, method: string) {
  const ending = ENDINGS[method]
  if (ending === undefined) return { schema: { ...DOCUMENTED, hide: true } }
  const schema = {
    ...DOCUMENTED,
    ...(method === 'POST' ? {} : { description: `${DOCUMENTED.description} ${BY_METHODS}` }),
    operationId: `${OPERATION_IDS[path]}${ending}`
  }
  return { schema, takes: method === 'GET' ? { headers: HEADERS } : PAYLOAD }
}

const BY_METHODS =
  "Where the Webhook's field `methods` does not have this method, the answer is 405. Of a GET, and of a DELETE without a body, the query is the payload."

const REFUSALS: readonly ProblemCode[] = [
  'invalid_request',
  'unauthorized',
  'signature_invalid',
  'secret_invalid',
  'forbidden',
  'cross_site_request',
  'keys_limited',
  'flow_not_found',
  'method_not_allowed',
  'flow_without_webhook',
  'flow_context_gone',
  'form_invalid',
  'payload_invalid',
  'file_too_large',
  'idempotency_key_invalid',
  'idempotency_key_reused',
  'rate_limited',
  'flow_paused',
  'backlog_full',
  'store_unwritable',
  'stopping'
]

const DOCUMENTED = {
  tags: ['Webhook'],
  summary: 'Start a flow',
  refuses: REFUSALS,
  description:
    'Stores the request durably, answers at once and runs the flow in the background. Where its Webhook says `respond: When the flow answers`, the answer is that of the flow, with a status, headers and a body of its own; text of a model comes while it is made, as `text/event-stream` where Accept asks for that.',
  params: Type.Object({ flow: { ...PathText, description: 'Id or slug of the flow' } }),
  response: { 202: { ...StartAnswer, headers: REPEATED } }
}

const HEADERS = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: LONGEST_IDEMPOTENCY_KEY,
      description:
        'Names the request: sent again within a day it starts nothing and answers the first run. With another body it is refused with 422, idempotency_key_reused. The headers webhook-id, x-github-delivery, x-shopify-webhook-id, and ce-id with ce-source, do the same for any body.'
    })
  ),
  Prefer: Type.Optional(Type.String({ description: 'wait=N waits up to N seconds for the run to end' }))
})

/** Any body, as a webhook reads it. */
export const PAYLOAD = {
  body: Type.Unknown({
    description:
      'Read as JSON, whatever its type says, and unpacked where Content-Encoding says so. What is not JSON goes by its type: a form is an object of texts, in which a name that repeats gives a list and files are files; text, or no type, becomes {"payload": "<the text>"}; any other type {"payload": <file>}. Files may be as large as MILLRACE_FILE_LIMIT'
  }),
  types: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data', '*/*'],
  isOptional: true,
  headers: HEADERS
}
