import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import { isWithin } from '../../contexts/context-path.ts'
import { MillraceError } from '../../errors.ts'
import { type Actor, canSee, may, type Right, seesAll } from '../../keys/rights.ts'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { flowNotFound } from '../../library/flow-refusals.ts'
import type { LiveFlow } from '../../library/live-flow.ts'
import { apiHeaders } from '../api-headers.ts'
import type { Callers } from './callers.ts'

/** What a route asks of its caller. Every route says it: one that says nothing stops the start. */
type Access = Right | 'any key' | 'public' | 'own guard'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
  interface FastifyRequest {
    actor: Actor | null
  }
}

/**
 * The one place where a key is asked for. It denies by default: only a route that calls itself public, or has a
 * guard of its own as the webhook has, is reached without a key.
 */
export function guardRoutes(app: FastifyInstance, callers: Callers): void {
  app.decorateRequest('actor', null)
  app.addHook('onRoute', (route) => {
    const access = route.config?.access
    if (access === undefined) {
      throw new Error(`route ${route.method} ${route.url} does not say what access it asks for`)
    }
    // On the route and not on the scope: the webhook, which guards itself, is not asked at all.
    if (access === 'own guard') return
    const guard: onRequestHookHandler = (request, reply, done) => {
      reply.headers(apiHeaders)
      done(access === 'public' ? undefined : refusal(request, access, callers))
    }
    route.onRequest = [guard, ...[route.onRequest ?? []].flat()]
  })
}

/** Why the request may not pass, or undefined; then it knows its actor. */
function refusal(request: FastifyRequest, access: Right | 'any key', callers: Callers): Error | undefined {
  try {
    const actor = callers.identify(request)
    if (actor === undefined) return unauthorized()
    if (access !== 'any key' && !may(actor, access)) return forbidden(actor, access)
    request.actor = actor
    return undefined
  } catch (error) {
    return error as Error
  }
}

/** The same words whether the key is absent, wrong or expired, and whether or not there is such a flow. */
export function unauthorized(): MillraceError {
  return new MillraceError(
    'unauthorized',
    'Send a valid API key in the header x-api-key or as Authorization: Bearer, or sign in to the page with one.'
  )
}

export function forbidden(actor: Actor, right: Right): MillraceError {
  const rights = [...actor.rights].join(', ') || 'no right'
  return new MillraceError(
    'forbidden',
    `The key "${actor.name}" lacks the right "${right}"; it has ${rights}. Use a key that has it.`
  )
}

/** The caller of a guarded route. */
export function actorOf(request: FastifyRequest): Actor {
  if (request.actor === null) throw new Error(`${request.routeOptions.url} is not guarded`)
  return request.actor
}

/**
 * For routes that answer what they have changed: documents, payloads and outputs are for those who may read them. To
 * the others a route says that it is done, with 204.
 */
export function mayRead(request: FastifyRequest): boolean {
  return may(actorOf(request), 'read')
}

export function assertMayRead(request: FastifyRequest): void {
  if (!mayRead(request)) throw forbidden(actorOf(request), 'read')
}

/** The flow, if there is one and the caller may see it; the same answer in both other cases. */
export function visibleFlow(request: FastifyRequest, library: FlowLibrary, reference: string): LiveFlow {
  const flow = library.find(reference)
  if (flow === undefined || !canSee(actorOf(request), flow)) throw flowNotFound()
  return flow
}

export function visibleFlows(request: FastifyRequest, library: FlowLibrary): LiveFlow[] {
  const actor = actorOf(request)
  return library.list().filter((flow) => canSee(actor, flow))
}

/**
 * Whether the caller may know of a context: the one that its key is bound to, those below, and those above, whose
 * registrations it sees. A key for one flow knows the contexts that its flow sees.
 */
export function knowsContext(request: FastifyRequest, library: FlowLibrary, path: string): boolean {
  const actor = actorOf(request)
  if (seesAll(actor)) return true
  if (actor.flowId === null) return isWithin(path, actor.context!) || isWithin(actor.context!, path)
  return visibleFlows(request, library).some((flow) => isWithin(flow.context, path))
}

/** For what concerns the whole service: a key that is bound to a flow or a context must not reach beyond it. */
export function assertUnbound(request: FastifyRequest): void {
  const actor = actorOf(request)
  if (seesAll(actor)) return
  const bound = actor.flowId === null ? `the context ${actor.context}` : 'one flow'
  throw new MillraceError(
    'forbidden',
    `The key "${actor.name}" is bound to ${bound}. Use a key that is not bound.`
  )
}
