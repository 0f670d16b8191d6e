import type { FastifyInstance } from 'fastify'
import type { ContextTree } from '../../contexts/context-tree.ts'
import { againAt, provenance, type Registration, type RegistrationKind } from '../../contexts/registration.ts'
import { type AnyPlugin, withLength } from '../../contexts/share-plugin.ts'
import { MillraceError } from '../../errors.ts'
import { contextOf } from './context-of.ts'
import { failedToLoad } from './load-failure.ts'
import { asOwner, currentOwner, originHere } from './registration-origin.ts'

/** How the decorators of each of Fastify's objects are called in the tree. */
const DECORATES = { decorate: '', decorateRequest: 'request.', decorateReply: 'reply.' } as const

type Recorder = (instance: FastifyInstance, kind: RegistrationKind, name: string) => void

/**
 * Writes down what plugins register by Fastify's own methods, so that it can be shown and explained. Fastify
 * itself does not know who added what, and its error for a double names neither.
 */
export function recordFastify(root: FastifyInstance, tree: ContextTree): void {
  const record: Recorder = (instance, kind, name) => {
    if (currentOwner() === undefined) return
    tree.register(contextOf(instance), { kind, name, value: undefined, ...originHere('millrace') })
  }
  recordDecorators(root, tree, record)
  recordHooks(root, record)
  recordRoutes(root, record)
  keepOwnerAfter(root)
}

/** Fastify's methods, each inherited by all instances below the one that it is set on. */
function methodsOf(root: FastifyInstance): Record<string, AnyPlugin> {
  return root as unknown as Record<string, AnyPlugin>
}

function recordDecorators(root: FastifyInstance, tree: ContextTree, record: Recorder): void {
  const methods = methodsOf(root)
  for (const [method, prefix] of Object.entries(DECORATES)) {
    const decorate = methods[method]!
    methods[method] = function (this: FastifyInstance, name: string, ...rest: unknown[]) {
      const called = `${prefix}${name}`
      try {
        decorate.call(this, name, ...rest)
      } catch (error) {
        throw namedDouble(error, called, tree, contextOf(this))
      }
      record(this, 'decorator', called)
      return this
    }
  }
}

function namedDouble(error: unknown, name: string, tree: ContextTree, path: string): unknown {
  if ((error as { code?: string }).code !== 'FST_ERR_DEC_ALREADY_PRESENT') return error
  const rival = tree.find(path, 'decorator', name)
  const who =
    rival === undefined ? 'Fastify, Millrace or the host application has it' : `it is ${provenance(rival)}`
  const news = originHere('millrace')
  return new MillraceError(
    'registration_refused',
    `${news.owner} cannot register the decorator "${name}" in ${path}: ${who} already${againAt(news)}. Give it another name.`
  )
}

/** An address that is taken, with who has it; anything else as it is. */
export function namedRoute(error: unknown, tree: ContextTree, owner: string): unknown {
  const taken = takenRoute(error, tree)
  if (taken === undefined) return error
  const { route, rival } = taken
  const who =
    rival === undefined
      ? 'Millrace, the host application or another plugin has it'
      : `it is ${provenance(rival)}`
  return new MillraceError(
    'registration_refused',
    `${owner} cannot register the route "${route}": ${who} already. Give it another address.`
  )
}

/** The failure of a plugin whose route has an address of Millrace; anything else as it is. */
export function asRivalsFailure(error: unknown, tree: ContextTree): unknown {
  const taken = takenRoute(error, tree)
  if (taken?.rival === undefined) return namedRoute(error, tree, 'millrace')
  const { owner, context, source } = taken.rival
  const at = source === null ? '' : ` (at ${source})`
  const cause = `it registers the route "${taken.route}"${at}, which is one of Millrace. Give it another address.`
  return failedToLoad(owner, context, new Error(cause, { cause: error }))
}

interface TakenRoute {
  readonly route: string
  /** Undefined where nobody saw who registered it. */
  readonly rival: Registration | undefined
}

function takenRoute(error: unknown, tree: ContextTree): TakenRoute | undefined {
  const { code, message } = Object(error) as { code?: string; message?: string }
  if (code !== 'FST_ERR_DUPLICATED_ROUTE') return undefined
  const [, methods = '', url = ''] =
    /'([^']+)' already declared for route '([^']+)'/.exec(message ?? '') ?? []
  const rival = tree
    .all()
    .flatMap(({ path }) => tree.own(path))
    .find(({ kind, name }) => kind === 'route' && isRoute(name, methods.split(','), url))
  return { route: `${methods.replaceAll(',', ', ')} ${url}`, rival }
}

function isRoute(name: string, methods: readonly string[], url: string): boolean {
  const cut = name.lastIndexOf(' ')
  const known = name.slice(0, cut).split(', ')
  return patternOf(name.slice(cut + 1)) === patternOf(url) && methods.some((method) => known.includes(method))
}

/** Two routes are the same however they call their parameters. */
function patternOf(url: string): string {
  return url.replaceAll(/:\w+/g, ':')
}

function recordHooks(root: FastifyInstance, record: Recorder): void {
  const methods = methodsOf(root)
  const addHook = methods.addHook!
  methods.addHook = function (this: FastifyInstance, name: string, hook: AnyPlugin) {
    addHook.call(this, name, name === 'onReady' ? readyHook(hook, contextOf(this)) : hook)
    record(this, 'hook', name)
    return this
  }
}

/** What a plugin does last before the service is ready is part of its loading: it fails with the plugin's name. */
function readyHook(hook: AnyPlugin, path: string): AnyPlugin {
  const owner = currentOwner()
  if (owner === undefined || typeof hook !== 'function') return hook
  if (hook.length === 0) {
    return async function (this: unknown) {
      try {
        await hook.call(this)
      } catch (error) {
        throw failedToLoad(owner, path, error)
      }
    }
  }
  return function (this: unknown, done: (error?: Error) => void) {
    const end = (error?: unknown) => done(error == null ? undefined : failedToLoad(owner, path, error))
    try {
      hook.call(this, end)
    } catch (error) {
      end(error)
    }
  }
}

function recordRoutes(root: FastifyInstance, record: Recorder): void {
  root.addHook('onRoute', function (this: FastifyInstance, { method, url }) {
    record(this, 'route', `${[method].flat().join(', ')} ${url}`)
  })
}

/** Fastify calls what is given to `after` from wherever loading happens to be by then. */
function keepOwnerAfter(root: FastifyInstance): void {
  const methods = methodsOf(root)
  const after = methods.after!
  methods.after = function (this: FastifyInstance, ...args: unknown[]) {
    const [body] = args as [AnyPlugin | undefined]
    const owner = currentOwner()
    if (owner === undefined || typeof body !== 'function') return after.apply(this, args)
    const kept = function (this: unknown, ...given: unknown[]) {
      return asOwner(owner, () => body.apply(this, given))
    }
    return after.call(this, withLength(kept, body.length))
  }
}
