import type { FastifyInstance } from 'fastify'
import { componentCatalogue } from '../contexts/component-catalogue.ts'
import { Sessions } from '../runs/chat/sessions.ts'
import { guardRoutes } from './access/access.ts'
import { keyRoutes } from './access/keys.ts'
import type { ApiParts } from './api-parts.ts'
import { assistantRoute } from './assistant/assistant-route.ts'
import { connectionApi } from './connections/connection-api.ts'
import { contextRoutes } from './contexts/contexts.ts'
import { costsApi } from './costs/costs-api.ts'
import { eventRoutes } from './events/events.ts'
import { fileRoutes } from './files/files.ts'
import { flowApi } from './flows/flow-api.ts'
import { keptValueRoutes } from './kept/kept-values.ts'
import { knowledgeApi } from './knowledge/knowledge-api.ts'
import { mcpApi } from './mcp/mcp.ts'
import { openAiApi } from './openai/openai-api.ts'
import { type DescribeApi, describedApi } from './operations/api-description.ts'
import { describeRoutes } from './operations/describe-routes.ts'
import { operationRoutes } from './operations/operations.ts'
import { settingsRoute } from './operations/settings.ts'
import { registerOwn } from './own-registration.ts'
import { limitAnswers } from './requests/answer-memory.ts'
import { limitBodies, payloadBody } from './requests/body-limits.ts'
import { readJson } from './requests/exact-body.ts'
import { validateWithTypeBox } from './requests/validate-with-typebox.ts'
import { runApi } from './runs/run-api.ts'
import type { ServiceDeps } from './service-deps.ts'
import { sessionRoutes } from './session/session.ts'
import type { SignInDeps } from './session/sign-in.ts'
import { linkAddresses } from './waiting/link-addresses.ts'
import { waitingApi } from './waiting/waiting-api.ts'
import { sendAsSenderRoute } from './webhook/send-as-sender.ts'
import { openTestAddressRoute, testWebhooks } from './webhook/test-address.ts'
import { publicWebhooks } from './webhook/webhook.ts'
import type { WebhookDeps } from './webhook/webhook-deps.ts'

/** The API in a scope of its own: its parsers and guards are not the plugins'. */
export function serveApi(
  app: FastifyInstance,
  deps: ServiceDeps,
  { signIn, webhookDeps }: { readonly signIn: SignInDeps; readonly webhookDeps: WebhookDeps }
): void {
  validateWithTypeBox(app)
  readJson(app, deps.clock)
  describeRoutes(app)
  limitBodies(app)
  limitAnswers(app)
  const describeApi = describedApi(app, {
    version: deps.version,
    cookieName: deps.sessions.cookieName,
    publicUrl: deps.hosts.publicUrl
  })
  guardRoutes(app, signIn.callers)
  const parts = apiParts(deps, signIn, describeApi)
  registerOwn(app, deps.tree, (scope) => publicWebhooks(scope, webhookDeps))
  sendAsSenderRoute(app, webhookDeps)
  openTestAddressRoute(app, parts)
  registerOwn(app, deps.tree, (scope) => testWebhooks(scope, parts))
  flowApi(app, parts)
  runApi(app, parts)
  waitingApi(app, parts)
  eventRoutes(app, parts)
  registerOwn(app, deps.tree, (scope) => contextRoutes(scope, parts))
  keptValueRoutes(app, parts)
  fileRoutes(app, parts)
  knowledgeApi(app, parts)
  costsApi(app, parts)
  connectionApi(app, parts)
  openAiApi(app, parts)
  mcpApi(app, parts)
  assistantRoute(app, parts)
  keyRoutes(app, parts)
  sessionRoutes(app, parts)
  operationRoutes(app, parts)
  settingsRoute(app, parts)
}

function apiParts(deps: ServiceDeps, signIn: SignInDeps, describeApi: DescribeApi): ApiParts {
  const { store, tree, hosts, clock } = deps
  return {
    ...signIn,
    ...deps,
    catalogue: componentCatalogue(tree),
    runStore: store.runs,
    messages: store.messages,
    conversations: new Sessions({ messages: store.messages, notes: store.sessions, runs: store.runs }),
    triggers: store.triggers,
    addresses: linkAddresses(deps.linkTokens, deps.ownAddress),
    now: clock.now,
    payloadLimit: payloadBody(deps.bodyLimit),
    publicUrl: hosts.publicUrl === null ? null : hosts.publicUrl + signIn.mount,
    describeApi
  }
}
