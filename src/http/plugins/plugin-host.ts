import type { FastifyInstance } from 'fastify'
import { childPath, isContextName, ROOT } from '../../contexts/context-path.ts'
import type { ContextTree } from '../../contexts/context-tree.ts'
import type { Origin } from '../../contexts/registration.ts'
import {
  type AnyPlugin,
  contextNameOf,
  isSharedPlugin,
  pluginName,
  takeIdentity,
  tellReaderOfMeta
} from '../../contexts/share-plugin.ts'
import { MillraceError } from '../../errors.ts'
import { contextOf, standFor } from './context-of.ts'
import type { ImportWatch } from './import-watch.ts'
import { failedToLoad } from './load-failure.ts'
import { offerRegistrations } from './offer-registrations.ts'
import { namedRoute, recordFastify } from './record-fastify.ts'
import { asOwner, currentOwner, lineHere } from './registration-origin.ts'

/** How a plugin asks for the context that it gets. */
interface RegisterOptions {
  /** The name of the context; the function's where it is left out. */
  readonly context?: string
  readonly prefix?: string
  readonly [option: string]: unknown
}

/** As in Fastify, options may be computed from the parent when the plugin's turn comes. */
type SentOptions = RegisterOptions | ((parent: FastifyInstance) => RegisterOptions)

/** Travels with the options of a plugin to the moment in which Fastify makes its instance. */
const FORK = Symbol('fork')

interface Fork extends Origin {
  readonly name: string
}

/** A plugin that is to be registered, before it is known to be one. */
interface Candidate {
  readonly plugin: unknown
  readonly options: SentOptions
  readonly source: string | null
}

/**
 * Carries the tree of contexts and Fastify's encapsulation side by side. Code enters by `register`, as it does in
 * Fastify: a bare plugin forks a context in both, a shared one in neither. HTTP scope stays Fastify's own; what
 * concerns flows is registered in the tree, at the place that the instance it is called on stands for.
 */
export class PluginHost {
  readonly #root: FastifyInstance
  readonly #tree: ContextTree
  readonly #onContext: (instance: FastifyInstance, path: string) => void
  readonly #imports: Pick<ImportWatch, 'placeOf'>
  readonly #register: AnyPlugin
  /** Whom each function that Fastify was given stands for. */
  readonly #stands = new WeakMap<AnyPlugin, Known>()
  /** The last plugin whose metadata Fastify has looked at: it is the one that an error about metadata is of. */
  #checked: Known | undefined

  /** `onContext` is called for every context that code forks, when the body of its plugin is done. */
  constructor(
    root: FastifyInstance,
    tree: ContextTree,
    onContext: (instance: FastifyInstance, path: string) => void,
    imports: Pick<ImportWatch, 'placeOf'>
  ) {
    this.#imports = imports
    this.#root = root
    this.#tree = tree
    this.#onContext = onContext
    this.#register = root.register as AnyPlugin
    standFor(root, ROOT)
    offerRegistrations(root, tree)
    recordFastify(root, tree)
    this.#watchRegister()
  }

  /** Registers a plugin of others in the root context. `source` tells who asked for it, where no line of code did. */
  async register(plugin: AnyPlugin, source: string | null): Promise<void> {
    try {
      await this.#register.call(this.#root, ...this.#admit(this.#root, { plugin, options: {}, source }))
    } catch (error) {
      throw this.#named(error)
    }
  }

  /** Instances inherit from their parent, so one wrapper on the root sees every plugin that plugins register. */
  #watchRegister(): void {
    const host = this
    Object.assign(this.#root, {
      register(this: FastifyInstance, plugin: unknown, options?: SentOptions | null) {
        // What Millrace itself registers is no context of the tree.
        if (currentOwner() === undefined) return host.#register.call(this, plugin, options)
        const candidate = { plugin, options: options ?? {}, source: lineHere() }
        return host.#register.call(this, ...host.#admit(this, candidate))
      }
    })
    this.#root.addHook('onRegister', function (this: FastifyInstance, child, options) {
      const fork = (options as unknown as Record<symbol, Fork | undefined>)[FORK]
      const parent = contextOf(this)
      standFor(child, fork === undefined ? parent : host.#tree.fork(parent, fork.name, fork))
    })
  }

  /** A plugin of others, made to run under its own name, and the options that fork a context for it. */
  #admit(parent: FastifyInstance, { plugin, options, source }: Candidate): [unknown, SentOptions] {
    const fork = { name: '', owner: '', source }
    const admit = (loaded: unknown) => {
      const body = pluginIn(loaded)
      // Fastify says what is wrong with it.
      if (typeof body !== 'function') return body
      Object.assign(fork, forkFor(body as AnyPlugin, options))
      return this.#standIn(body as AnyPlugin, fork, pathFor(body as AnyPlugin, contextOf(parent), fork))
    }
    const carried = carrying(options, fork)
    if (!isPromise(plugin)) return [admit(plugin), carried]
    const [by, path] = [currentOwner()!, contextOf(parent)]
    const admitted = plugin.then(admit).catch(async (error) => {
      throw await this.#failure(by, path, error)
    })
    // Fastify looks at it when its turn comes; until then nobody does, and Node would end the process.
    admitted.catch(() => {})
    return [admitted, carried]
  }

  #standIn(plugin: AnyPlugin, { owner, source }: Origin, expected: string): AnyPlugin {
    const known = { owner, path: expected }
    const stand = async (instance: FastifyInstance, options: object): Promise<void> => {
      const path = contextOf(instance)
      known.path = path
      try {
        this.#tree.register(path, { kind: 'plugin', name: owner, value: plugin, owner, source })
        await asOwner(owner, () => runBody(plugin, instance, options))
        if (!isSharedPlugin(plugin)) this.#onContext(instance, path)
      } catch (error) {
        throw await this.#failure(owner, path, namedRoute(this.#named(error), this.#tree, owner))
      }
    }
    this.#stands.set(stand, known)
    return tellReaderOfMeta(takeIdentity(stand, plugin), () => {
      this.#checked = known
    })
  }

  async #failure(owner: string, path: string, error: unknown): Promise<unknown> {
    return failedToLoad(owner, path, error, await this.#imports.placeOf(error))
  }

  /** Of what Fastify says itself: a plugin takes too long, or lacks what its metadata asks for. */
  #named(error: unknown): unknown {
    const { fn, code } = Object(error) as { fn?: AnyPlugin; code?: string }
    const known = fn === undefined ? undefined : this.#stands.get(fn)
    const culprit = known ?? (META_FAULTS.has(code ?? '') ? this.#checked : undefined)
    return culprit === undefined ? error : failedToLoad(culprit.owner, culprit.path, error)
  }
}

/** A plugin that was admitted, and the context that it has, or is to have. */
interface Known {
  readonly owner: string
  path: string
}

/** How Fastify refuses a plugin before it calls it: by its name it may be any of those that are loaded. */
const META_FAULTS = new Set([
  'FST_ERR_PLUGIN_VERSION_MISMATCH',
  'FST_ERR_PLUGIN_NOT_PRESENT_IN_INSTANCE',
  'FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED',
  // Dependencies or decorators that are no list.
  'ERR_ASSERTION'
])

function pathFor(plugin: AnyPlugin, parent: string, { name }: Pick<Fork, 'name'>): string {
  return isSharedPlugin(plugin) ? parent : childPath(parent, name)
}

/** What `await import()` gives counts as the plugin in it, as in Fastify. */
function pluginIn(loaded: unknown): unknown {
  const inner = (Object(loaded) as { default?: unknown }).default
  return typeof inner === 'function' ? inner : loaded
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (Object(value) as { then?: unknown }).then === 'function'
}

function forkFor(plugin: AnyPlugin, options: SentOptions): Pick<Fork, 'name' | 'owner'> {
  const name = contextNameOf(plugin)
  const owner = pluginName(plugin) || name
  // Options that are computed later come too late to name a context, and for Fastify too late to set a prefix.
  const { context, prefix } = typeof options === 'function' ? {} : options
  if (isSharedPlugin(plugin)) refuseOptions(owner, { context, prefix })
  else if (context !== undefined) assertContextName(owner, context)
  return { name: context ?? name, owner }
}

function carrying(options: SentOptions, fork: Fork): SentOptions {
  const carrier =
    typeof options === 'function' ? (parent: FastifyInstance) => options(parent) : { ...options }
  return Object.defineProperty(carrier, FORK, { value: fork })
}

/** A plugin ends with the promise that it returns, or where it takes a callback, by calling it. */
function runBody(plugin: AnyPlugin, instance: FastifyInstance, options: object): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const done = (error?: unknown) => (error == null ? resolve(undefined) : reject(error))
    const result = plugin(instance, options, done)
    if (isPromise(result)) result.then(resolve, reject)
    else if (plugin.length < 3) resolve(undefined)
  })
}

/** Fastify drops the prefix of a shared plugin without a word: its routes would stand where nobody looks. */
function refuseOptions(owner: string, { prefix, context }: { prefix: unknown; context: unknown }): void {
  if (prefix === undefined && context === undefined) return
  const option = prefix === undefined ? 'context' : 'prefix'
  throw new MillraceError(
    'registration_refused',
    `${owner} is shared, so it has no context of its own and "${option}" has no effect. Drop the option, or register it bare.`
  )
}

function assertContextName(owner: string, name: unknown): void {
  if (isContextName(name)) return
  throw new MillraceError(
    'registration_refused',
    `${owner} cannot have the context ${JSON.stringify(name)}. Name one segment of a path with 1 to 60 letters, digits, hyphens and underscores.`
  )
}
