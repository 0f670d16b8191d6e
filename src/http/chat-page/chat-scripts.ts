import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { FlowLibrary } from '../../library/flow-library.ts'
import { CHAT_PATH } from '../webhook/context-webhooks.ts'
import { PAGE_SCRIPT } from './page-script.ts'
import { chatOf } from './take-turn.ts'
import { WIDGET_SCRIPT } from './widget-script.ts'

const VERSION = createHash('sha256').update(PAGE_SCRIPT).digest('base64url').slice(0, 12)

/** No flow is called like this. */
const PAGE_PATH = `${CHAT_PATH}-/chat.js`

export const PAGE_SCRIPT_PATH = `${PAGE_PATH}?${VERSION}`

const OPEN = { config: { access: 'own guard' as const }, schema: { hide: true } }

export function chatScripts(scope: FastifyInstance, { library }: { readonly library: FlowLibrary }): void {
  scope.get(PAGE_PATH, OPEN, (_request, reply) =>
    sendScript(reply, PAGE_SCRIPT, {
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin'
    })
  )
  scope.get(`${CHAT_PATH}:flow/widget.js`, OPEN, (request, reply) => {
    chatOf(request, library)
    return sendScript(reply, WIDGET_SCRIPT, {
      'cache-control': 'public, max-age=300',
      'cross-origin-resource-policy': 'cross-origin'
    })
  })
}

function sendScript(reply: FastifyReply, script: string, headers: Record<string, string>): FastifyReply {
  const type = { 'content-type': 'text/javascript; charset=utf-8', 'x-content-type-options': 'nosniff' }
  return reply.headers({ ...type, ...headers }).send(script)
}
