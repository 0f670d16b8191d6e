import type { FastifyReply, FastifyRequest } from 'fastify'
import { MillraceError } from '../../errors.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import { methodNotAllowed } from '../requests/unknown-route.ts'
import { type RateVerdict, rateLimitFields } from './rate-limiter.ts'

/** Told to whoever may know of the flow: others could find flows by the methods that they take. */
export function assertMethod(request: FastifyRequest, { webhook }: LiveFlow): void {
  if (webhook === null || webhook.methods.includes(request.method)) return
  throw methodNotAllowed(request, webhook.methods)
}

export function withoutWebhook(flow: LiveFlow): MillraceError {
  return new MillraceError(
    'flow_without_webhook',
    `Flow "${flow.slug}" has no Webhook component in its live version, so a webhook cannot start it. Add one where there is none, and publish the draft.`
  )
}

export function keepToLimit(flow: LiveFlow, verdict: RateVerdict, reply: FastifyReply): void {
  const fields = rateLimitFields(verdict)
  if (verdict.allowed) {
    reply.headers(fields)
    return
  }
  throw new MillraceError(
    'rate_limited',
    `Flow "${flow.slug}" takes ${verdict.perMinute} requests per minute. Send the request again in ${verdict.secondsToNext} s.`,
    { headers: { ...fields, 'retry-after': String(verdict.secondsToNext) } }
  )
}
