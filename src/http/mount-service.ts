import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import type { Clock } from '../clock.ts'
import { builtInComponents } from '../components/built-in.ts'
import type { ConnectionLibrary } from '../connections/connection-library.ts'
import type { ConnectionTables } from '../connections/connection-tables.ts'
import type { ConnectionModels } from '../connections/models/connection-models.ts'
import type { Authorization } from '../connections/oauth/authorization.ts'
import type { ConnectionTrials } from '../connections/trial/connection-trials.ts'
import { componentCatalogue } from '../contexts/component-catalogue.ts'
import type { ContextTree } from '../contexts/context-tree.ts'
import type { KeyGuesses } from '../keys/key-guesses.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { LinkTokens } from '../keys/link-tokens.ts'
import type { Sessions } from '../keys/sessions.ts'
import type { SignInLinks } from '../keys/sign-in-links.ts'
import { WrongKeys } from '../keys/wrong-keys.ts'
import type { ContextLibrary } from '../library/context-library.ts'
import type { Drafts } from '../library/drafts.ts'
import type { FlowLibrary } from '../library/flow-library.ts'
import { Approvals } from '../runs/approvals.ts'
import type { KeptLibrary } from '../runs/kept/kept-library.ts'
import type { FlowBin } from '../runs/retention/flow-bin.ts'
import type { Runs } from '../runs/runs.ts'
import type { Pins } from '../runs/steps/pins.ts'
import type { Store } from '../store/store.ts'
import { guardRoutes } from './access/access.ts'
import { Callers } from './access/callers.ts'
import { keyRoutes } from './access/keys.ts'
import { connectionChoiceRoutes } from './connections/connection-choices.ts'
import { connectionModelRoutes } from './connections/connection-models.ts'
import { connectionTableRoutes } from './connections/connection-tables.ts'
import { connectionUseRoutes } from './connections/connection-uses.ts'
import { connectionRoutes } from './connections/connections.ts'
import { connectionSignInRoutes } from './connections/sign-in.ts'
import { contextRoutes } from './contexts/contexts.ts'
import { eventRoutes } from './events/events.ts'
import { componentRoutes } from './flows/components.ts'
import { draftChangesRoute } from './flows/draft-changes.ts'
import { draftRoutes } from './flows/drafts.ts'
import { flowRoutes } from './flows/flows.ts'
import { pinRoutes } from './flows/pins.ts'
import { playgroundRoutes } from './flows/playground.ts'
import { publishRoutes } from './flows/publish.ts'
import { runNodeRoute } from './flows/run-node.ts'
import { testDraftRoute } from './flows/test-draft.ts'
import { triggerRoute } from './flows/triggers.ts'
import { keptValueRoutes } from './kept/kept-values.ts'
import { namedPlugin } from './named-plugin.ts'
import { describedApi } from './operations/api-description.ts'
import { describeRoutes } from './operations/describe-routes.ts'
import type { Metrics } from './operations/metrics.ts'
import { operationRoutes } from './operations/operations.ts'
import type { Refusals } from './operations/refusals.ts'
import { limitToWorkerRoutes } from './operations/worker-routes.ts'
import { Page } from './page/page.ts'
import { ImportWatch } from './plugins/import-watch.ts'
import { PluginHost } from './plugins/plugin-host.ts'
import { asRivalsFailure } from './plugins/record-fastify.ts'
import { asMillrace } from './plugins/registration-origin.ts'
import type { AnyPlugin } from './plugins/share.ts'
import { asMillraceError, internalError } from './problem.ts'
import { limitBodies, payloadBody } from './requests/body-limits.ts'
import { readJson } from './requests/exact-body.ts'
import type { KnownHosts } from './requests/known-hosts.ts'
import { pathOf } from './requests/public-path.ts'
import { unknownRoutes } from './requests/unknown-route.ts'
import { validateWithTypeBox } from './requests/validate-with-typebox.ts'
import { heldRunsRoute } from './runs/held-runs.ts'
import { runStatsRoute } from './runs/run-stats.ts'
import { runRoutes } from './runs/runs.ts'
import { sessionRoutes } from './session/session.ts'
import type { SignInDeps } from './session/sign-in.ts'
import { approvalPage } from './waiting/approval-page.ts'
import { approvalRoutes } from './waiting/approvals.ts'
import { linkAddresses } from './waiting/link-addresses.ts'
import type { OwnAddress } from './waiting/own-address.ts'
import { resumeRoute } from './waiting/resume.ts'
import { wakeRunRoute } from './waiting/wake-run.ts'
import { type ContextWebhooks, withoutSlash } from './webhook/context-webhooks.ts'
import type { RateLimits } from './webhook/rate-limiter.ts'
import { ownHook } from './webhook/served-route.ts'
import { decorateWebhooks, publicWebhooks, type WebhookDeps, webhookIn } from './webhook/webhook.ts'

export interface ServiceDeps {
  readonly store: Store
  readonly library: FlowLibrary
  readonly drafts: Drafts
  readonly pins: Pins
  readonly kept: KeptLibrary
  readonly contexts: ContextLibrary
  readonly connections: ConnectionLibrary
  readonly trials: ConnectionTrials
  readonly tables: ConnectionTables
  readonly models: ConnectionModels
  readonly authorization: Authorization
  readonly runs: Runs
  readonly bin: FlowBin
  readonly keys: KeyRing
  readonly sessions: Sessions
  readonly signInLinks: SignInLinks
  /** Wrong keys by address, wherever they are sent. */
  readonly guesses: KeyGuesses
  readonly hosts: KnownHosts
  /** Where others reach the service. */
  readonly ownAddress: OwnAddress
  readonly linkTokens: LinkTokens
  readonly refusals: Refusals
  readonly tree: ContextTree
  readonly webhooks: ContextWebhooks
  readonly metrics: Metrics
  readonly clock: Clock
  readonly version: string
  readonly bodyLimit: number
  /** One for the service: a flow has one limit, wherever its webhook is served. */
  readonly limiter: RateLimits
  /** False for a worker, which answers for its health and nothing else. */
  readonly servesAll: boolean
  /** The folder of the built page. */
  readonly pageFolder: string
  readonly isStopping: () => boolean
  readonly standsStill: () => boolean
  readonly onError: (error: unknown, doing: string) => void
}

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
  const webhookDeps = webhookDepsOf(deps, signIn)
  const serveContext = (instance: FastifyInstance, context: string) =>
    registerOwn(instance, tree, (scope) => webhookIn(scope, context, webhookDeps))
  const imports = new ImportWatch()
  const host = new PluginHost(root, tree, serveContext, imports)
  for (const component of builtInComponents) root.component(component)
  try {
    for (const { plugin, source } of plugins) await host.register(plugin, source)
  } finally {
    imports.end()
  }
  registerOwn(root, tree, (scope) => serveApi(scope, deps, { ...signIn, webhookDeps }))
  root.addHook('onReady', async () => tree.freeze())
}

/** What Millrace itself registers is not the plugin's, in whose context it may stand. */
function registerOwn(
  instance: FastifyInstance,
  tree: ContextTree,
  body: (scope: FastifyInstance) => unknown
): void {
  const own = namedPlugin('millrace', async (scope) => {
    try {
      await asMillrace(() => body(scope))
    } catch (error) {
      throw asRivalsFailure(error, tree)
    }
  })
  asMillrace(() => instance.register(own))
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
  const { library, webhooks, runs, clock, limiter, bodyLimit, metrics, refusals } = deps
  return {
    library,
    webhooks,
    runs,
    callers,
    clock,
    limiter,
    bodyLimit,
    refusals,
    mount,
    prefix,
    onAccepted: metrics.accepted
  }
}

interface ApiSignIn extends SignInDeps {
  readonly webhookDeps: WebhookDeps
}

function serveApi(app: FastifyInstance, deps: ServiceDeps, signIn: ApiSignIn): void {
  const { callers, mount, prefix, cookie, webhookDeps } = signIn
  validateWithTypeBox(app)
  readJson(app)
  describeRoutes(app)
  limitBodies(app)
  const { sessions } = deps
  const describeApi = describedApi(app, {
    version: deps.version,
    cookieName: sessions.cookieName,
    publicUrl: deps.hosts.publicUrl
  })
  guardRoutes(app, callers)
  registerOwn(app, deps.tree, (scope) => publicWebhooks(scope, webhookDeps))
  const { library, drafts, pins, runs, keys, store, tree, clock, contexts } = deps
  const catalogue = componentCatalogue(tree)
  flowRoutes(app, {
    library,
    drafts,
    runs,
    runStore: store.runs,
    triggers: store.triggers,
    bin: deps.bin,
    catalogue,
    prefix
  })
  draftRoutes(app, { library, drafts, catalogue })
  pinRoutes(app, { library, drafts, pins, catalogue, runs })
  publishRoutes(app, { library, drafts, catalogue })
  draftChangesRoute(app, { library, drafts, catalogue, runStore: store.runs })
  const payloadLimit = payloadBody(deps.bodyLimit)
  const addresses = linkAddresses(deps.linkTokens, deps.ownAddress)
  const waitDetails = { store: store.runs, addresses }
  runRoutes(app, { runs, library, drafts, pins, catalogue, prefix, payloadLimit, waitDetails })
  const approvals = new Approvals({
    store: store.runs,
    wake: (...wake) => runs.wake(...wake),
    now: clock.now
  })
  approvalRoutes(app, { approvals, library })
  wakeRunRoute(app, { runs, library })
  const waiting = { runs, library, approvals, store: store.runs, tokens: deps.linkTokens, prefix }
  registerOwn(app, tree, (scope) => resumeRoute(scope, { ...waiting, bodyLimit: deps.bodyLimit }))
  registerOwn(app, tree, (scope) => approvalPage(scope, waiting))
  testDraftRoute(app, { runs, library, drafts, pins, payloadLimit })
  runNodeRoute(app, { runs, library, drafts, pins, runStore: store.runs, payloadLimit })
  triggerRoute(app, { library, catalogue, triggers: store.triggers })
  heldRunsRoute(app, { library, store: store.runs })
  runStatsRoute(app, { library, store: store.runs, now: clock.now })
  const { messages } = store
  const playground = { library, drafts, pins, catalogue, runs, messages, runStore: store.runs }
  playgroundRoutes(app, { ...playground, prefix, payloadLimit })
  eventRoutes(app, { library, drafts, keys, runs, store: store.runs, clock })
  componentRoutes(app, { tree, library })
  registerOwn(app, tree, (scope) => contextRoutes(scope, { tree, contexts, library, prefix }))
  keptValueRoutes(app, { kept: deps.kept, tree })
  connectionRoutes(app, { connections: deps.connections, trials: deps.trials, prefix })
  const { connections, authorization, hosts } = deps
  const publicUrl = hosts.publicUrl === null ? null : hosts.publicUrl + mount
  connectionSignInRoutes(app, { connections, authorization, callers, publicUrl, prefix })
  connectionChoiceRoutes(app, { connections: deps.connections, tree, library })
  connectionTableRoutes(app, { tables: deps.tables, tree, library })
  connectionModelRoutes(app, { models: deps.models, tree, library })
  connectionUseRoutes(app, { connections: deps.connections, tree, library })
  keyRoutes(app, { keys, library, now: clock.now })
  sessionRoutes(app, { keys, sessions, callers, cookie, wrongKeys: new WrongKeys(clock.now) })
  operationRoutes(app, {
    metrics: deps.metrics,
    version: deps.version,
    storeKind: store.kind,
    describeApi,
    probe: () => store.probe(),
    isStopping: deps.isStopping,
    standsStill: deps.standsStill
  })
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
