import type { FastifyInstance } from 'fastify'
import packageJson from '../package.json' with { type: 'json' }
import type { AnyPlugin } from './contexts/share-plugin.ts'
import { mountService } from './http/mount-service.ts'
import type { PluginContext } from './http/plugins/offer-registrations.ts'
import { KnownHosts } from './http/requests/known-hosts.ts'
import { withoutSlash } from './http/webhook/context-webhooks.ts'
import { routeWebhooks } from './http/webhook/route-webhooks.ts'
import { signInPath } from './keys/sign-in-links.ts'
import { createService } from './service.ts'
import { readConfig } from './startup/config.ts'
import { type FirstStart, firstStartOf, tellOnStderr } from './startup/first-start.ts'
import { checkHostOptions } from './startup/host-options.ts'
import type { ServiceConfig } from './startup/service-options.ts'

/** The public surface of the package: explicit exports, and nothing else is importable. */
export {
  type AnyComponent,
  type AskedWait,
  type ChildResult,
  type ChildRuns,
  type Circuit,
  type ComponentDefinition,
  compileTemplate,
  compileTemplateTree,
  defineComponent,
  ExactNumber,
  type Field,
  type FieldFault,
  type Fields,
  type FieldValues,
  type InputValues,
  type ItemRules,
  isPlainObject,
  type JsonValue,
  type KeptValues,
  type LiveNode,
  type Message,
  type OpenConnection,
  type OutputValues,
  type Port,
  type Ports,
  type PortType,
  parseJson,
  type RequestFacts,
  type RetryPolicy,
  type RunTrigger,
  type RunView,
  reachError,
  type StartedItems,
  type StartedTrigger,
  type StartRunOptions,
  type Step,
  StepError,
  type StepErrorOptions,
  type StepWait,
  type StopTrigger,
  share,
  type Template,
  TemplateError,
  type TemplateTree,
  templateFault,
  templateTreeFaults,
  type WaitKind,
  type Woken,
  writeJson
} from './plugin-api.ts'
export type { RunEnd, RunHookName, RunHooks } from './runs/steps/run-hooks.ts'
export type { FirstStart, PluginContext }

/** What a plugin gets: the context that it is registered in, which is a Fastify instance with a few methods more. */
export type Context = FastifyInstance & PluginContext

/** How a host application sets Millrace up; what is left out has the default of the stand-alone service. */
export interface MillraceOptions extends Partial<Omit<ServiceConfig, 'apiKey'>> {
  /** The first full-rights key. Without one, a new store makes one and tells it, once: see `onFirstStart`. */
  readonly apiKey?: string | null | undefined
  /**
   * Is told the first key that Millrace makes, and a link to the page; absent, a key is written to stderr. Where it throws
   * or rejects, Millrace does not start, and the next start tells a new key.
   */
  readonly onFirstStart?: (first: FirstStart) => void | Promise<void>
  /** Where people reach the application: links to Millrace begin with it and the prefix. */
  readonly publicUrl?: string | null | undefined
  /** The folder of the built page, where it is another than the package's own. */
  readonly pageFolder?: string
  /** Plugins for the root context, as `register` takes them. */
  readonly plugins?: readonly AnyPlugin[]
  /** Read by Fastify: where the service is mounted. */
  readonly prefix?: string
}

/** An instance of the application's own Fastify, whose version and types need not be those of Millrace's. */
type Host = Pick<FastifyInstance, 'prefix'>

/**
 * The whole service as a plugin of somebody's own Fastify application:
 * `app.register(millrace, { prefix: '/flows' })`. The instance that it gets is its root context, so the hooks,
 * decorators and plugins of the application are there as those of an ancestor are.
 */
async function millrace(host: Host, options: MillraceOptions): Promise<void> {
  const instance = host as FastifyInstance
  checkHostOptions({ ...options })
  const {
    plugins = [],
    apiKey = null,
    publicUrl,
    onFirstStart = tellOnStderr,
    pageFolder,
    ...settings
  } = options
  const defaults = readConfig(publicUrl == null ? {} : { MILLRACE_PUBLIC_URL: publicUrl }, () => '')
  const service = await createService({
    config: { ...defaults, ...settings, apiKey },
    log: instance.log,
    version: packageJson.version,
    // Which names are answered to is for the application to say.
    hosts: new KnownHosts({ host: null, publicUrl: defaults.publicUrl, allowedHosts: ['*'] }),
    ...(pageFolder === undefined ? {} : { pageFolder })
  })
  const { webhooks } = service.deps
  webhooks.mountedAt(instance.prefix)
  routeWebhooks(instance, webhooks)
  const base = (defaults.publicUrl ?? '') + withoutSlash(instance.prefix)
  instance.addHook('onReady', async () => {
    await service.begin()
    await service.welcome((first) => onFirstStart(firstStartOf(first, (token) => base + signInPath(token))))
  })
  instance.addHook('preClose', () => service.drain())
  instance.addHook('onClose', () => service.end())
  await mountService(
    instance,
    service.deps,
    plugins.map((plugin) => ({ plugin, source: null }))
  )
}

export default millrace
