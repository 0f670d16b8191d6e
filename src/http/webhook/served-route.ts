import type { FastifyInstance, RouteOptions } from 'fastify'
import { internalKey, internalOf } from './fastify-internals.ts'

const OWN = Symbol('millrace.own-hook')

/** Marks a hook as Millrace's own. One that is not marked is a guard of somebody, wherever it came from. */
export function ownHook<H extends object>(hook: H): H {
  return Object.defineProperty(hook, OWN, { value: true })
}

/** Hooks that concern the life of the application. All others look at requests, also those that Fastify adds one day. */
const APPLICATION_HOOKS = new Set(['onRoute', 'onRegister', 'onReady', 'onListen', 'preClose', 'onClose'])

/** Members of a route that decide nothing about a request. Of a schema, `CHECKED` does. */
const DESCRIPTIVE = new Set([
  'method',
  'url',
  'path',
  'routePath',
  'prefix',
  'config',
  'schema',
  'logLevel',
  'logSerializers',
  'attachValidation'
])

/** Parts of a schema by which Fastify refuses requests. */
const CHECKED = ['body', 'headers', 'params', 'querystring', 'query']

/** After the route's own onRequest, these can still refuse. */
const LATER_HOOKS = new Set(['preParsing', 'preValidation', 'preHandler'])

type Members = Readonly<Record<string, unknown>>

/**
 * A route as Fastify serves it. Who put a hook on it cannot be told from what plugins were seen to register: an
 * `onRoute` hook adds to the route itself, and a callback may add hooks when nobody knows any more whose it is. So the
 * route is asked: the hooks that Fastify keeps for its scope, and what became of the options that it was made with.
 */
export class ServedRoute {
  readonly #scope: FastifyInstance
  readonly #asked: Members
  readonly #made: Members | undefined
  #later: boolean | undefined

  /**
   * Adds the route to a scope of Millrace's own. With an `address` requests find it there, and nowhere else, while hooks,
   * logs and plugins read the `url` that it has in the options.
   */
  constructor(scope: FastifyInstance, options: RouteOptions, address?: string) {
    this.#scope = scope
    this.#asked = { ...options, schema: { ...options.schema } }
    let made: RouteOptions | undefined
    scope.addHook('onRoute', (route) => {
      if (made !== undefined) return
      made = route
      // Fastify has noted the url for whoever asks, and takes the address for its router only now.
      if (address !== undefined) route.url = address
    })
    scope.route({ ...options, schema: { ...options.schema } })
    // The very object of Fastify: what others change in it later is seen too.
    this.#made = made as Members | undefined
  }

  /** Whether somebody else looks at the requests of the route or at their answers. To be asked when all is loaded. */
  get isGuarded(): boolean {
    return this.#isChanged() || this.#hasHook(() => true)
  }

  /** Whether somebody else can still refuse a request that has passed the route's own onRequest. */
  get isGuardedLater(): boolean {
    this.#later ??= this.#isChanged() || this.#hasHook((name) => LATER_HOOKS.has(name))
    return this.#later
  }

  #hasHook(counts: (name: string) => boolean): boolean {
    // The hooks of the scope by their kind, those of its ancestors included.
    const hooks = internalOf<Members>(this.#scope, 'fastify.hooks')
    if (hooks === undefined) return true
    return Object.entries(hooks).some(
      ([name, list]) => !APPLICATION_HOOKS.has(name) && counts(name) && !areOwn(list)
    )
  }

  #isChanged(): boolean {
    const [asked, made] = [this.#asked, this.#made]
    if (made === undefined) return true
    const [before, after] = [asked.schema as Members, Object(made.schema) as Members]
    return (
      Object.keys({ ...asked, ...made }).some(
        (name) => !DESCRIPTIVE.has(name) && made[name] !== asked[name]
      ) || CHECKED.some((part) => after[part] !== before[part])
    )
  }
}

/** Makes the routes that follow in a scope of Millrace's own begin at this prefix, whatever that of the plugin is. */
export function setPrefix(scope: FastifyInstance, prefix: string): void {
  const key = internalKey(scope, 'fastify.routePrefix')
  if (key !== undefined) Object.assign(scope, { [key]: prefix })
}

function areOwn(hooks: unknown): boolean {
  return Array.isArray(hooks) && hooks.every((hook) => OWN in Object(hook))
}
