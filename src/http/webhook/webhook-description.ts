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

export const OPERATION_IDS: Readonly<Record<string, string>> = {
  '/api/v1/webhook/': 'startFlow',
  '/v1/webhook/': 'startFlowByShortPath'
}

const REFUSALS: readonly ProblemCode[] = [
  'invalid_request',
  'unauthorized',
  'signature_invalid',
  'forbidden',
  'cross_site_request',
  'keys_limited',
  'flow_not_found',
  'flow_without_webhook',
  'flow_context_gone',
  'idempotency_key_invalid',
  'idempotency_key_reused',
  'rate_limited',
  'flow_paused',
  'backlog_full',
  'store_unwritable',
  'stopping'
]

export const DOCUMENTED = {
  tags: ['Webhook'],
  summary: 'Start a flow',
  refuses: REFUSALS,
  description: 'Stores the request durably, answers at once and runs the flow in the background.',
  params: Type.Object({ flow: { ...PathText, description: 'Id or slug of the flow' } }),
  response: { 202: { ...StartAnswer, headers: REPEATED } }
}

export const PAYLOAD = {
  body: Type.Unknown({
    description:
      'Read as JSON, whatever its type says, and unpacked where Content-Encoding says so; what is not JSON becomes {"payload": "<the text>"}'
  }),
  types: ['application/json', '*/*'],
  isOptional: true,
  headers: Type.Object({
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
}
