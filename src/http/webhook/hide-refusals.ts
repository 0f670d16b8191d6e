import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { MillraceError } from '../../errors.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { flowNotFound } from '../../library/flow-refusals.ts'
import { unauthorized } from '../access/access.ts'
import type { Callers } from '../access/callers.ts'
import type { Refusals } from '../operations/refusals.ts'
import { problemAnswer } from '../problem.ts'
import { keyRefusal } from './admission.ts'
import { tellAllowedOrigin } from './cors.ts'
import { internalOf } from './fastify-internals.ts'
import { ownHook } from './served-route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The headers of the answer that a host application has set; null where it is the one that answers. */
    hostHeaders: Readonly<Record<string, unknown>> | null
    /** Whether the caller has passed whoever guards the webhook, so that it may know of the flow. */
    isAdmitted: boolean
  }
}

interface HideDeps {
  readonly callers: Pick<Callers, 'identify'>
  readonly library: Pick<FlowLibrary, 'find'>
  readonly refusals: Pick<Refusals, 'byPlugin'>
}

/**
 * One rule for every refusal at a webhook, whoever refuses: it reads like that of a flow that is not there, in status,
 * body and headers, unless the caller has shown a key that may know of the flow, or has passed all guards. Otherwise the
 * words of a guard, its status or a header that it sets would tell that there is a flow behind it.
 *
 * What the hooks of a host application refuse is theirs: they stand before every flow, and before those that are not there.
 */
export function hideRefusals(scope: FastifyInstance, deps: HideDeps): void {
  const hide = (request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown => {
    const status = statusOf(reply, payload)
    // Hooks may answer themselves with success, as senders ask for. A redirection refuses too: it does not start the flow.
    if (status < 300) return payload
    deps.refusals.byPlugin(request, status)
    if (request.isAdmitted || request.hostHeaders === null) return payload
    const answer = answerWithoutFlow(request, deps)
    if (answer === undefined) return payload
    discard(payload)
    return replaceAnswer(reply, request.hostHeaders, answer)
  }
  // One for both, since every hook costs.
  const finish: onSendHookHandler = (request, reply, payload, done) => {
    const sent = hide(request, reply, payload)
    tellAllowedOrigin(request, reply, deps.library)
    done(null, sent)
  }
  scope.addHook('onSend', ownHook(finish))
}

function statusOf(reply: FastifyReply, payload: unknown): number {
  return payload instanceof Response ? payload.status : reply.statusCode
}

/** What the caller would be told if there were no such flow; undefined where it may know that there is. */
function answerWithoutFlow(
  request: FastifyRequest,
  { callers, library }: HideDeps
): MillraceError | undefined {
  try {
    const actor = callers.identify(request)
    const refusal = keyRefusal(actor, library.find((request.params as { flow: string }).flow))
    if (refusal === 'no key') return challenged(request)
    return refusal === 'no flow' ? flowNotFound() : undefined
  } catch (error) {
    // Wrong keys came too often, or another site makes use of somebody's session: that is what an absent flow answers.
    return error instanceof MillraceError ? error : challenged(request)
  }
}

const CHALLENGE = 'Bearer realm="Millrace", Basic realm="Millrace", charset="UTF-8"'

/**
 * Some senders show a name and a password only when they are asked for one, so whoever calls is asked, whether there is a flow or
 * not. A browser would ask whoever sits before it, and is not.
 */
function challenged({ headers }: FastifyRequest): MillraceError {
  const error = unauthorized()
  if (headers['sec-fetch-mode'] !== undefined) return error
  return new MillraceError(error.code, error.message, { headers: { 'www-authenticate': CHALLENGE } })
}

/** Whatever was about to be sent: a file that nobody reads would stay open. */
function discard(payload: unknown): void {
  const { destroy } = Object(payload) as { readonly destroy?: () => void }
  if (typeof destroy === 'function') destroy.call(payload)
}

function replaceAnswer(
  reply: FastifyReply,
  hostHeaders: Readonly<Record<string, unknown>>,
  answer: MillraceError
): string {
  const { status, headers, text } = problemAnswer(answer)
  // Fastify sets Connection where it does not read a body to its end. Once removed, Node would not write it either.
  Reflect.deleteProperty(internalOf(reply, 'fastify.reply.headers') ?? {}, 'connection')
  for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name)
  reply.raw.statusMessage = ''
  reply.code(status).headers({
    ...hostHeaders,
    ...headers,
    // The charset is what Fastify adds to a text, which this hook comes too late for.
    'content-type': `${headers['content-type']}; charset=utf-8`
  })
  return text
}
