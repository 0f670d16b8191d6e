import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { builtInComponents } from '../components/built-in.ts'
import type { AnyPlugin } from '../contexts/share-plugin.ts'
import { Callers } from './access/callers.ts'
import { type ChatPageDeps, chatsIn, publicChats } from './chat-page/chat-routes.ts'
import { decorateForms, type FormDeps, formsIn, publicForms } from './form/form-routes.ts'
import { SenderLimits } from './form/sender-limits.ts'
import type { Refusals } from './operations/refusals.ts'
import { limitToWorkerRoutes } from './operations/worker-routes.ts'
import { registerOwn } from './own-registration.ts'
import { Page } from './page/page.ts'
import { ImportWatch } from './plugins/import-watch.ts'
import { PluginHost } from './plugins/plugin-host.ts'
import { asMillraceError, internalError } from './problem.ts'
import { pathOf } from './requests/public-path.ts'
import { unknownRoutes } from './requests/unknown-route.ts'
import { serveApi } from './serve-api.ts'
import type { ServiceDeps } from './service-deps.ts'
import type { SignInDeps } from './session/sign-in.ts'
import { withoutSlash } from './webhook/context-webhooks.ts'
import { SenderGuard } from './webhook/sender-guard.ts'
import { ownHook } from './webhook/served-route.ts'
import { decorateWebhooks, webhookIn } from './webhook/webhook.ts'
import type { WebhookDeps } from './webhook/webhook-deps.ts'

/** A plugin of others. */
export interface LoadedPlugin {
  readonly plugin: AnyPlugin
  /** The file or package that it was asked for by; null where an application gave it. */
  readonly source: string | null
}

/**
 * Puts the service on a Fastify instance, which is its root context. Plugins come first, so that what a shared one
 * adds to the root is there for everything else; the API stands in a scope of its own, so that its parsers and
 * guards are not the plugins'.
 */
export async function mountService(
  root: FastifyInstance,
  deps: ServiceDeps,
  plugins: readonly LoadedPlugin[]
): Promise<void> {
  const { tree, webhooks, hosts, refusals } = deps
  const signIn = signInDepsOf(root, deps)
  answerErrors(root, refusals)
  if (deps.servesAll) deps.ownAddress.serves({ server: root.server, prefix: withoutSlash(root.prefix) })
  else limitToWorkerRoutes(root, refusals)
  const answerUnknown = unknownRoutes(root, new Page({ ...signIn, folder: deps.pageFolder }), refusals)
  // The first of all hooks, and one for four things, since every hook costs: whoever looks at a request sees the
  // address that was sent; who asks for another service is not served; what a host application has set is told from what plugins set; and what nobody takes is
  // answered before its body is read.
  const first: onRequestHookHandler = (request, reply, done) => {
    webhooks.restore(request.raw)
    const refusal = hosts.refusal(request.raw)
    if (refusal !== undefined) return void refusals.send(reply, refusal)
    request.hostHeaders = reply.getHeaders()
    // A plugin with a prefix and a handler of its own answers there itself; without one it would answer for all.
    if (request.is404 && request.server.prefix === root.prefix) answerUnknown(request, reply)
    else done()
  }
  root.addHook('onRequest', ownHook(first))
  root.addHook('onRoute', (route) => webhooks.noteRoute(route))
  decorateWebhooks(root)
  decorateForms(root)
  const webhookDeps = webhookDepsOf(deps, signIn)
  const formDeps: FormDeps = { ...webhookDeps, files: deps.files, senders: new SenderLimits(deps.clock.now) }
  const chatDeps: ChatPageDeps = formDeps
  const serveContext = (instance: FastifyInstance, context: string) => {
    registerOwn(instance, tree, (scope) => webhookIn(scope, context, webhookDeps))
    registerOwn(instance, tree, (scope) => formsIn(scope, context, formDeps))
    registerOwn(instance, tree, (scope) => chatsIn(scope, context, chatDeps))
  }
  const imports = new ImportWatch()
  const host = new PluginHost(root, tree, serveContext, imports)
  for (const component of builtInComponents) root.component(component)
  try {
    for (const { plugin, source } of plugins) await host.register(plugin, source)
  } finally {
    imports.end()
  }
  registerOwn(root, tree, (scope) => serveApi(scope, deps, { signIn, webhookDeps }))
  registerOwn(root, tree, (scope) => publicForms(scope, formDeps))
  registerOwn(root, tree, (scope) => publicChats(scope, chatDeps))
  root.addHook('onReady', async () => tree.freeze())
}

/** What tells who comes in, by a key or by a session. */
function signInDepsOf(root: FastifyInstance, deps: ServiceDeps): SignInDeps {
  const { keys, sessions, signInLinks: links } = deps
  const mount = withoutSlash(root.prefix)
  const prefix = pathOf(deps.hosts.publicUrl) + mount
  const cookie = { name: sessions.cookieName, path: prefix === '' ? '/' : prefix }
  return { keys, sessions, links, callers: new Callers(deps), cookie, mount, prefix }
}

function webhookDepsOf(deps: ServiceDeps, { callers, mount, prefix }: SignInDeps): WebhookDeps {
  const { store, library, webhooks, runs, clock, limiter, bodyLimit, files, metrics, refusals, hosts } = deps
  return {
    store,
    library,
    webhooks,
    runs,
    callers,
    senders: new SenderGuard(clock.now),
    clock,
    limiter,
    bodyLimit,
    files,
    refusals,
    mount,
    prefix,
    publicUrl: hosts.publicUrl,
    onAccepted: metrics.accepted
  }
}

function answerErrors(app: FastifyInstance, refusals: Refusals): void {
  app.setErrorHandler((error, request, reply) => {
    const known = asMillraceError(error, reply.statusCode)
    if (known !== undefined) return refusals.send(reply, known)
    const { method, routeOptions, params } = request
    const { flow } = Object(params) as { readonly flow?: string }
    request.log.error({ err: error, method, url: routeOptions.url, flow }, 'a request failed')
    return refusals.send(reply, internalError())
  })
}
