import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  HTTPMethods,
  RouteOptions
} from 'fastify'
import { ROOT } from '../../contexts/context-path.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import type { Refusals } from '../operations/refusals.ts'
import { ownRefusal } from '../problem.ts'
import { methodNotAllowed, routeNotFound } from '../requests/unknown-route.ts'
import { acceptWebhook } from './accept-webhook.ts'
import { admit } from './admit-caller.ts'
import { answersInAddress } from './answer-question.ts'
import { LED_METHODS, WEBHOOK_PATHS } from './context-webhooks.ts'
import { answersPreflight } from './cors.ts'
import { hideRefusals } from './hide-refusals.ts'
import { ServedRoute, setPrefix } from './served-route.ts'
import { readAsBytes, readBytes } from './webhook-body.ts'
import type { WebhookDeps } from './webhook-deps.ts'
import { describedRoute } from './webhook-description.ts'
import { assertMethod, withoutWebhook } from './webhook-refusals.ts'

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
  root.decorateRequest('sentStream', null)
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
      const flow = admit(request, deps)
      // No guard of its context was asked: where there is one, whoever has no key that may know of the flow is answered as if there were none.
      request.isAdmitted = flow.webhook?.auth !== 'Signature' && !deps.webhooks.isGuarded(flow.context)
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
    handler: (request, reply) => acceptWebhook(request, reply, deps)
  }
  const address = place.address === undefined ? undefined : `${place.address}:flow`
  const route = new ServedRoute(scope, options, address)
  // By the others nobody passes the router, so nobody asks who guards them.
  if ([place.method].flat().includes('POST')) deps.webhooks.servedBy(place.context, route)
}
