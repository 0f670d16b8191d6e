import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  HTTPMethods,
  RouteOptions
} from 'fastify'
import type { Clock } from '../../clock.ts'
import { ROOT } from '../../contexts/context-path.ts'
import { mayNameFiles } from '../../flows/file-ids.ts'
import { inTurns } from '../../flows/in-turns.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { withoutContext } from '../../library/flow-refusals.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import type { Runs } from '../../runs/runs.ts'
import type { Delivery } from '../../store/deliveries.ts'
import type { NamedFiles } from '../../store/files.ts'
import type { AcceptedRun } from '../../store/store.ts'
import type { Callers } from '../access/callers.ts'
import type { FileAccessDeps } from '../files/file-access.ts'
import type { Refusals } from '../operations/refusals.ts'
import { ownRefusal } from '../problem.ts'
import { methodNotAllowed, routeNotFound } from '../requests/unknown-route.ts'
import { isAlias } from './admission.ts'
import { admit, assertSigned } from './admit-caller.ts'
import { answersInAddress, answersInBody } from './answer-question.ts'
import { answerByFlow } from './answers/answer-caller.ts'
import type { ContextWebhooks } from './context-webhooks.ts'
import { LED_METHODS, WEBHOOK_PATHS } from './context-webhooks.ts'
import { answersPreflight } from './cors.ts'
import { deliveriesOf, reusedKey } from './deliveries.ts'
import { filesOfCaller } from './files-of-caller.ts'
import { hideRefusals } from './hide-refusals.ts'
import { isQueryPayload, queryPayload } from './payload/query-payload.ts'
import type { RateLimits, RateVerdict } from './rate-limiter.ts'
import { webhookStart } from './request-facts.ts'
import type { SenderGuard } from './sender-guard.ts'
import { ServedRoute, setPrefix } from './served-route.ts'
import { answerStarted } from './start-response.ts'
import { inputFrom, readAsBytes, readBytes } from './webhook-body.ts'
import { describedRoute } from './webhook-description.ts'
import { assertMethod, keepToLimit, withoutWebhook } from './webhook-refusals.ts'

export interface WebhookDeps extends FileAccessDeps {
  readonly library: FlowLibrary
  readonly webhooks: ContextWebhooks
  readonly callers: Callers
  /** One for the service, as wrong keys are counted once. */
  readonly senders: SenderGuard
  readonly runs: Runs
  readonly clock: Clock
  /** One for the service: a flow has one limit, wherever its webhook is served. */
  readonly limiter: RateLimits
  readonly bodyLimit: number
  readonly refusals: Refusals
  /** Where the service is in its application; empty where it stands alone. */
  readonly mount: string
  /** What addresses that are told begin with. */
  readonly prefix: string
  /** Where people reach the service; null where nobody said. */
  readonly publicUrl: string | null
  readonly onAccepted: (seconds: number) => void
}

declare module 'fastify' {
  interface FastifyRequest {
    webhookFlow: LiveFlow | null
  }
}

/** Members of the request that the webhook uses, wherever it is served. */
export function decorateWebhooks(root: FastifyInstance): void {
  root.decorateRequest('webhookFlow', null)
  root.decorateRequest('sentContentType', undefined)
  root.decorateRequest('sentBodies', null)
  root.decorateRequest('hostHeaders', null)
  root.decorateRequest('isAdmitted', false)
}

/** The endpoint that starts a flow, as it is documented and called. */
export function publicWebhooks(scope: FastifyInstance, deps: WebhookDeps): void {
  const lead = (path: string) => (request: FastifyRequest, reply: FastifyReply) => {
    const { flow } = request.params as { flow: string }
    if (!deps.webhooks.reroute(request.raw, path, flow)) return false
    reply.hijack()
    scope.routing(request.raw, reply.raw)
    return true
  }
  hideRefusals(scope, deps)
  readBytes(scope, deps.bodyLimit)
  for (const path of WEBHOOK_PATHS) {
    const place = { context: ROOT, path, isElsewhere: lead(path) }
    for (const method of LED_METHODS) {
      serveWebhook(scope, { ...place, method, ...describedRoute(path, method) }, deps)
    }
    answerOptions(scope, path, deps)
  }
}

/** What a browser asks before it lets a page of another origin call the flow. No guard of a context sees it: it comes without a key. */
function answerOptions(scope: FastifyInstance, path: string, deps: WebhookDeps): void {
  scope.route({
    method: 'OPTIONS',
    url: `${path}:flow`,
    config: { access: 'own guard' },
    schema: describedRoute(path, 'OPTIONS').schema,
    handler: (request, reply) => {
      if (answersPreflight(request, reply, deps.library)) return reply
      // Not admitted: whoever has no key that may know of the flow is answered as if there were none.
      const flow = admit(request, deps)
      throw flow.webhook === null ? withoutWebhook(flow) : methodNotAllowed(request, flow.webhook.methods)
    }
  })
}

/** The same endpoint inside a context; see context-webhooks.ts. */
export function webhookIn(scope: FastifyInstance, context: string, deps: WebhookDeps): void {
  const refuse = (request: FastifyRequest) => {
    if (!deps.webhooks.isLed(request.raw)) throw routeNotFound(request)
    return false
  }
  setPrefix(scope, deps.mount)
  hideRefusals(scope, deps)
  readBytes(scope, deps.bodyLimit)
  answerOwnRefusals(scope, deps.refusals)
  const addresses = deps.webhooks.addressesIn(context)
  for (const path of WEBHOOK_PATHS) {
    const [address, method] = [addresses[path]!, [...LED_METHODS]]
    serveWebhook(scope, { context, path, address, method, schema: HIDDEN, isElsewhere: refuse }, deps)
  }
}

/**
 * A plugin's error handler is for what its hooks throw. What the webhook itself refuses reads the same in every context:
 * by the words of another, a caller without a key could tell that there is a flow.
 */
function answerOwnRefusals(scope: FastifyInstance, refusals: Refusals): void {
  scope.setErrorHandler((error, _request, reply) => {
    const own = ownRefusal(error)
    // Thrown here it goes on to the handler of the context, or of those above.
    if (own === undefined) throw error
    return refusals.send(reply, own)
  })
}

/** For tools that list routes, and for the answers to addresses that are not there. */
const HIDDEN = { hide: true }

interface Place {
  readonly context: string
  readonly method: HTTPMethods | HTTPMethods[]
  /** Where it is called, up to the flow. */
  readonly path: string
  /** Where it is found, up to the flow, if not there. */
  readonly address?: string
  readonly schema: FastifySchema
  /** What is described of its body and headers. */
  readonly takes?: NonNullable<RouteOptions['config']>['takes']
  /** Whether the request is answered elsewhere. */
  readonly isElsewhere: (request: FastifyRequest, reply: FastifyReply) => boolean
}

/** It reads the body as bytes, asks what the flow's Webhook node says, and stores. */
function serveWebhook(scope: FastifyInstance, place: Place, deps: WebhookDeps): void {
  const options: RouteOptions = {
    method: place.method,
    url: `${place.path}:flow`,
    bodyLimit: deps.bodyLimit,
    config: { access: 'own guard', ...(place.takes === undefined ? {} : { takes: place.takes }) },
    schema: place.schema,
    // Fastify would answer a HEAD by what a GET does, and that starts the flow.
    exposeHeadRoute: false,
    // By callback, and one for all: promises and further hooks would cost more than what is done here.
    onRequest: (request, reply, done) => {
      try {
        if (place.isElsewhere(request, reply) || answersInAddress(request, reply, deps)) return
        const flow = admit(request, deps)
        request.webhookFlow = flow
        // A signature is of the body, and a guard may wait for it too.
        request.isAdmitted = flow.webhook?.auth !== 'Signature' && !route.isGuardedLater
        if (request.isAdmitted) assertMethod(request, flow)
        readAsBytes(request)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    handler: (request, reply) => accept(request, reply, deps)
  }
  const address = place.address === undefined ? undefined : `${place.address}:flow`
  const route = new ServedRoute(scope, options, address)
  // By the others nobody passes the router, so nobody asks who guards them.
  if ([place.method].flat().includes('POST')) deps.webhooks.servedBy(place.context, route)
}

function accept(request: FastifyRequest, reply: FastifyReply, deps: WebhookDeps): void {
  const since = deps.clock.stopwatch()
  const flow = request.webhookFlow!
  const { webhook } = flow
  if (webhook === null) throw flow.isWithoutContext ? withoutContext(flow) : withoutWebhook(flow)
  if (webhook.auth === 'Signature') assertSigned(request, webhook, deps)
  request.isAdmitted = true
  if (answersInBody(request, reply, flow)) return
  assertMethod(request, flow)
  countAlias(request, flow, deps)
  const input = isQueryPayload(request.method, request.body)
    ? queryPayload(request.url, webhook.hidden)
    : inputFrom(request.body)
  const verdict = webhook.rateLimit > 0 ? deps.limiter.take(flow.id, webhook.rateLimit) : undefined
  if (verdict instanceof Promise) {
    verdict
      .then((told) => start(request, reply, deps, { flow, input, since, verdict: told }))
      .catch((error) => reply.send(error))
  } else {
    start(request, reply, deps, { flow, input, since, verdict })
  }
}

/** Whoever wants to end a former slug asks who still calls it. */
function countAlias(request: FastifyRequest, flow: LiveFlow, { library, callers }: WebhookDeps): void {
  const { flow: reference } = request.params as { flow: string }
  if (!isAlias(reference, flow)) return
  const actor = flow.webhook?.auth === 'API key' ? callers.identify(request) : undefined
  library.aliasCalls.add(flow, reference, { key: actor?.name ?? null, address: request.ip })
}

interface Admitted {
  readonly flow: LiveFlow
  readonly input: Uint8Array
  readonly since: number
  /** Undefined where the flow has no limit. */
  readonly verdict: RateVerdict | undefined
}

function start(request: FastifyRequest, reply: FastifyReply, deps: WebhookDeps, admitted: Admitted): void {
  const { flow, input, since, verdict } = admitted
  if (verdict !== undefined) keepToLimit(flow, verdict, reply)
  const { runs, prefix } = deps
  const given = webhookStart(flow, input, request.raw, request.url, request.ip)
  const answer = (run: Pick<AcceptedRun, 'id' | 'isPaused'>, isRepeated: boolean) => {
    if (!isRepeated) deps.onAccepted((deps.clock.stopwatch() - since) / 1000)
    const within = flow.webhook!.answersWithin
    // Nobody knows when its flow is resumed.
    if (within === null || run.isPaused === true)
      answerStarted(request, reply, { run, isRepeated, runs, prefix })
    else answerByFlow(request, reply, { runId: run.id, isRepeated, within, runs, prefix })
  }
  const startAs = (deliveries: readonly Delivery[], named: NamedFiles = {}) =>
    deliveries.length === 0
      ? runs.start({ ...given, ...named }).then((run) => answer(run, false))
      : runs.startOnce({ ...given, ...named }, deliveries).then((acceptance) => {
          if (acceptance.verdict === 'other body') throw reusedKey(acceptance.runId)
          if (acceptance.verdict === 'duplicate') answer({ id: acceptance.runId }, true)
          else answer(acceptance.run, false)
        })
  const deliveries = inTurns(deliveriesOf(flow, request.headers, input), runs.answerPace())
  const named = mayNameFiles(input) ? filesOfCaller(request, flow, input, deps) : undefined
  const answered =
    deliveries instanceof Promise || named !== undefined
      ? Promise.all([deliveries, named]).then(([names, files]) => startAs(names, files))
      : startAs(deliveries)
  answered.catch((error) => reply.send(error))
}
