import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MillraceError } from '../../errors.ts'
import type { SenderLimits } from '../form/sender-limits.ts'
import type { Refusals } from '../operations/refusals.ts'
import { ownRefusal, sendProblem } from '../problem.ts'
import { readJson } from '../requests/exact-body.ts'
import { routeNotFound } from '../requests/unknown-route.ts'
import { CHAT_PATH, type ContextWebhooks } from '../webhook/context-webhooks.ts'
import { ServedRoute, setPrefix } from '../webhook/served-route.ts'
import { sendChatPage, sendNoChat } from './chat-page.ts'
import { chatScripts } from './chat-scripts.ts'
import { chatOf, type TakeTurnDeps, takeTurn } from './take-turn.ts'

export interface ChatPageDeps extends TakeTurnDeps {
  readonly webhooks: ContextWebhooks
  readonly refusals: Refusals
  readonly senders: SenderLimits
  /** Where the service is in its application; empty where it stands alone. */
  readonly mount: string
}

/** The chat of a flow, as people open it. */
export function publicChats(scope: FastifyInstance, deps: ChatPageDeps): void {
  chatScripts(scope, deps)
  serveChats(scope, undefined, deps, (request, reply) => {
    const { flow } = request.params as { flow: string }
    if (!deps.webhooks.reroute(request.raw, CHAT_PATH, flow)) return false
    reply.hijack()
    scope.routing(request.raw, reply.raw)
    return true
  })
}

/** The same inside a context, so that its guards stand before its chats too; see context-webhooks.ts. */
export function chatsIn(scope: FastifyInstance, context: string, deps: ChatPageDeps): void {
  setPrefix(scope, deps.mount)
  serveChats(scope, deps.webhooks.addressesIn(context)[CHAT_PATH], deps, (request) => {
    if (!deps.webhooks.isLed(request.raw)) throw routeNotFound(request)
    return false
  })
}

type IsElsewhere = (request: FastifyRequest, reply: FastifyReply) => boolean
type Handler = (request: FastifyRequest, reply: FastifyReply, deps: ChatPageDeps) => unknown

/** A person writes little; what is pasted fits too. */
const LARGEST_TURN = 64 * 1024

function serveChats(
  scope: FastifyInstance,
  address: string | undefined,
  deps: ChatPageDeps,
  isElsewhere: IsElsewhere
): void {
  readJson(scope, deps.clock)
  answerRefusals(scope, deps.refusals)
  const serve = (method: string | string[], handler: Handler) => {
    const options = {
      method,
      url: `${CHAT_PATH}:flow`,
      bodyLimit: LARGEST_TURN,
      config: { access: 'own guard' as const },
      schema: { hide: true },
      onRequest: (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
        try {
          if (!isElsewhere(request, reply)) done()
        } catch (error) {
          done(error as Error)
        }
      },
      handler: (request: FastifyRequest, reply: FastifyReply) => handler(request, reply, deps)
    }
    new ServedRoute(scope, options, address === undefined ? undefined : `${address}:flow`)
  }
  serve(['GET', 'HEAD'], showChat)
  serve('POST', takeTurn)
}

function showChat(request: FastifyRequest, reply: FastifyReply, deps: ChatPageDeps): FastifyReply {
  const { flow, entry } = chatOf(request, deps.library)
  if (flow.paused?.mode === 'refuse') throw new MillraceError('flow_paused', 'The chat is closed for now.')
  return sendChatPage(reply, entry, deps.prefix)
}

/** What Millrace refuses is told as a page to who opens it, and to its script as everywhere; what others refuse goes on to who answers for them. */
function answerRefusals(scope: FastifyInstance, refusals: Refusals): void {
  scope.setErrorHandler((error, request, reply) => {
    const own = ownRefusal(error)
    if (own === undefined) throw error
    if (own.code === 'route_not_found') return refusals.send(reply, own)
    refusals.note(request, own)
    return request.method === 'POST' ? sendProblem(reply, own) : sendNoChat(reply, own)
  })
}
