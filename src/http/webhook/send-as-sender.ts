import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import { Type } from '../../flows/json/schema-builder.ts'
import { webhookSending } from '../../flows/webhook-sending.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { visibleFlow } from '../access/access.ts'
import { IdParams } from '../schemas.ts'
import { calledAddress } from './admit-caller.ts'
import { WEBHOOK_PATHS } from './context-webhooks.ts'
import { senderProof, senderQuery } from './signatures/sender-proof.ts'
import { withoutWebhook } from './webhook-refusals.ts'

interface SendDeps {
  readonly library: FlowLibrary
  readonly clock: Clock
  readonly bodyLimit: number
  readonly mount: string
  /** Where people reach the service, without the mount; null where nobody said. */
  readonly publicUrl: string | null
}

interface Sent {
  readonly body: string
  readonly content_type?: string
}

const Sent = Type.Object(
  {
    body: Type.String({ description: 'The body of the request, as text' }),
    content_type: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '^[\\x20-\\x7e]+$',
        description: 'application/json where it is left out'
      })
    )
  },
  { additionalProperties: false }
)

const Answered = Type.Object({
  status: Type.Integer({ minimum: 100, maximum: 599, description: 'What the webhook answered' }),
  body: Type.String({ description: 'The body of that answer, as text' }),
  run_id: Type.Optional(
    Type.String({ description: 'The run that it started, or that had been started before' })
  )
})

/** By which the webhook knows who tries it, and tells why it refuses. What the sender proves itself with is put over it. */
const CALLER_HEADERS = ['x-api-key', 'authorization', 'cookie', 'origin', 'sec-fetch-site', 'host'] as const

/**
 * A request to the live webhook, with the proof that its sender would send. The secret stays where it is: whoever tries the
 * flow out may start it, and learns nothing but the answer.
 */
export function sendAsSenderRoute(app: FastifyInstance, deps: SendDeps): void {
  app.post<{ Params: { id: string }; Body: Sent }>(
    '/api/v1/flows/:id/send',
    {
      config: { access: 'trigger' },
      // The body stands in a text of JSON, where each letter may take six.
      bodyLimit: deps.bodyLimit * 6 + 1_024,
      schema: {
        tags: ['Webhook'],
        operationId: 'sendAsSender',
        summary: 'Send a request to the webhook as its sender would',
        description:
          'Signs the body, or shows the token or password, with the secret of the live Webhook, and sends it through all that guards the webhook: by POST, or the first method that the Webhook takes; where that is GET, the members of the body are the query. The answer tells what the webhook answered; the secret is never told.',
        refuses: ['flow_not_found', 'flow_without_webhook'],
        params: IdParams,
        body: Sent,
        response: { 200: Answered }
      }
    },
    async (request) => {
      const { webhook, slug } = webhookFlow(request, deps.library)
      const { method, query, body } = webhookSending(webhook.methods, request.body.body)
      const { content_type = 'application/json' } = request.body
      const type = body === null ? {} : { 'content-type': content_type }
      const sent = { headers: { ...callerHeaders(request), ...type }, body: Buffer.from(body ?? '') }
      const url = `${deps.mount}${WEBHOOK_PATHS[0]}${encodeURIComponent(slug)}${withQuery(query, senderQuery(webhook, sent))}`
      const called = calledAddress({ protocol: 'http', host: request.host, url }, deps.publicUrl)
      const signed = { method, url: called, ...sent }
      const moment = { seconds: Math.floor(deps.clock.now() / 1000), id: `msg_${deps.clock.newId()}` }
      const proof = senderProof(webhook, signed, moment)
      const answer = await app.inject({
        method,
        url,
        headers: { ...sent.headers, ...proof },
        ...(body === null ? {} : { payload: sent.body }),
        remoteAddress: request.ip
      })
      const run = startedRun(answer.headers.location)
      return {
        status: answer.statusCode,
        body: answer.payload,
        ...(run === undefined ? {} : { run_id: run })
      }
    }
  )
}

function withQuery(query: string, added: Readonly<Record<string, string>>): string {
  const more = String(new URLSearchParams(added))
  if (more === '') return query
  return query === '' ? `?${more}` : `${query}&${more}`
}

/** `Location` is there whatever the flow answers. */
function startedRun(location: unknown): string | undefined {
  return typeof location === 'string' ? /\/api\/v1\/runs\/([^/?#]+)$/.exec(location)?.[1] : undefined
}

function webhookFlow(request: FastifyRequest<{ Params: { id: string } }>, library: FlowLibrary) {
  const flow = visibleFlow(request, library, request.params.id)
  if (flow.webhook === null) throw withoutWebhook(flow)
  return { webhook: flow.webhook, slug: flow.slug }
}

function callerHeaders({ headers }: FastifyRequest): Record<string, string> {
  return Object.fromEntries(
    CALLER_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]))
  )
}
