import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { MillraceError } from '../../errors.ts'
import type { FormField } from '../../flows/form/form-fields.ts'
import type { Refusals } from '../operations/refusals.ts'
import { ownRefusal, sendProblem } from '../problem.ts'
import { routeNotFound } from '../requests/unknown-route.ts'
import { type ContextWebhooks, FORM_PATH } from '../webhook/context-webhooks.ts'
import { rateLimitFields } from '../webhook/rate-limiter.ts'
import { ownHook, ServedRoute, setPrefix } from '../webhook/served-route.ts'
import { readForms } from './form-body.ts'
import { sendForm, sendNotice, wantsJson } from './form-pages.ts'
import { formScript } from './form-script.ts'
import type { SenderLimits } from './sender-limits.ts'
import { formOf, newKey, type TakeFormDeps, takeForm } from './take-form.ts'

export interface FormDeps extends TakeFormDeps {
  readonly webhooks: ContextWebhooks
  readonly senders: SenderLimits
  readonly refusals: Refusals
  /** Where the service is in its application; empty where it stands alone. */
  readonly mount: string
}

/** Members of the request that forms use, wherever they are served. */
export function decorateForms(root: FastifyInstance): void {
  root.decorateRequest('formStream', null)
  root.decorateRequest('formRefusal', null)
}

/** The page of a form, and where it is sent, as people open it. */
export function publicForms(scope: FastifyInstance, deps: FormDeps): void {
  formScript(scope)
  serveForms(scope, undefined, deps, (request, reply) => {
    const { flow } = request.params as { flow: string }
    if (!deps.webhooks.reroute(request.raw, FORM_PATH, flow)) return false
    reply.hijack()
    scope.routing(request.raw, reply.raw)
    return true
  })
}

/**
 * The same inside a context, so that its guards stand before its forms too; see context-webhooks.ts. What a guard says is told as it
 * is: who comes to a form is a person, who has to be asked for a password or led to a sign-in.
 */
export function formsIn(scope: FastifyInstance, context: string, deps: FormDeps): void {
  setPrefix(scope, deps.mount)
  serveForms(scope, deps.webhooks.addressesIn(context)[FORM_PATH], deps, (request) => {
    if (!deps.webhooks.isLed(request.raw)) throw routeNotFound(request)
    return false
  })
}

type IsElsewhere = (request: FastifyRequest, reply: FastifyReply) => boolean

function serveForms(
  scope: FastifyInstance,
  address: string | undefined,
  deps: FormDeps,
  isElsewhere: IsElsewhere
): void {
  readForms(scope, deps.bodyLimit)
  answerRefusals(scope, deps.refusals)
  const serve = (method: string | string[], handler: Handler, admit: Admit = () => {}) => {
    const options = {
      method,
      url: `${FORM_PATH}:flow`,
      bodyLimit: deps.bodyLimit,
      config: { access: 'own guard' as const },
      schema: { hide: true },
      onRequest: (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
        try {
          if (isElsewhere(request, reply)) return
          admit(request, deps)
          done()
        } catch (error) {
          done(error as Error)
        }
      },
      handler: (request: FastifyRequest, reply: FastifyReply) => handler(request, reply, deps)
    }
    new ServedRoute(scope, options, address === undefined ? undefined : `${address}:flow`)
  }
  serve(['GET', 'HEAD'], showForm)
  serve('POST', takeForm, keepSenderToLimit)
}

type Handler = (request: FastifyRequest, reply: FastifyReply, deps: FormDeps) => unknown
type Admit = (request: FastifyRequest, deps: FormDeps) => void

/** So much is read of what one address sends above its limit, to show its form again as it was filled in. */
const SHOWN_AGAIN_BYTES = 64 * 1024

/** Before anything is read: what one address sends must not keep the service busy. */
function keepSenderToLimit(request: FastifyRequest, { library, senders }: FormDeps): void {
  const { flow, entry } = formOf(request, library)
  if (entry.rateLimit === 0) return
  const verdict = senders.takeAllOrShare(flow.id, request.ip, entry.rateLimit)
  if (verdict.allowed) return
  const { secondsToNext, perMinute } = verdict
  const message = `The form is taken ${perMinute} times per minute from one address. Send it again in ${secondsToNext} s.`
  const headers = { ...rateLimitFields(verdict), 'retry-after': String(secondsToNext) }
  const refusal = new MillraceError('rate_limited', message, { headers })
  // A length that is not told is none, and compares as false.
  const isShort = Number(request.headers['content-length']) <= SHOWN_AGAIN_BYTES
  if (wantsJson(request) || !isShort) throw refusal
  request.formRefusal = refusal
}

function showForm(
  request: FastifyRequest,
  reply: FastifyReply,
  { library, prefix, files }: FormDeps
): FastifyReply {
  const { flow, entry } = formOf(request, library)
  if (flow.paused?.mode === 'refuse') {
    const error = new MillraceError('flow_paused', 'The form is closed for now.')
    return wantsJson(request) ? sendProblem(reply, error) : sendNotice(reply, error)
  }
  const values = prefilled(entry.form.fields, request.query as Readonly<Record<string, unknown>>)
  return sendForm(
    reply,
    entry.form,
    { values, faults: [], key: newKey() },
    {
      status: 200,
      prefix,
      fileLimit: files.limit
    }
  )
}

/** Whoever gives the link away may have written answers into it. */
function prefilled(fields: readonly FormField[], query: Readonly<Record<string, unknown>>) {
  const given = fields.flatMap(({ name, type }) => {
    const value = type !== 'file' && Object.hasOwn(query, name) ? query[name] : undefined
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return Object.fromEntries(given)
}

/** What Millrace refuses is told as a page, or to programs as everywhere; what others refuse goes on to whoever answers for them. */
function answerRefusals(scope: FastifyInstance, refusals: Refusals): void {
  scope.setErrorHandler((error, request, reply) => {
    const own = ownRefusal(error)
    if (own === undefined) throw error
    // Whoever comes to the address of a context itself learns nothing of forms.
    if (own.code === 'route_not_found') return refusals.send(reply, own)
    refusals.note(request, own)
    return wantsJson(request) ? sendProblem(reply, own) : sendNotice(reply, own)
  })
  const count: onSendHookHandler = (request, reply, payload, done) => {
    if (reply.statusCode >= 400) refusals.byPlugin(request, reply.statusCode)
    done(null, payload)
  }
  scope.addHook('onSend', ownHook(count))
}
