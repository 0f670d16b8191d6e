import type { FastifyInstance } from 'fastify'
import { ROOT } from '../contexts/context-path.ts'
import type { ContextTree } from '../contexts/context-tree.ts'
import type { Origin } from '../contexts/registration.ts'
import { MillraceError, messageOf } from '../errors.ts'
import { type AnyPlugin, contextNameOf, isShared, pluginName, takeIdentity } from '../share.ts'
import { contextOf, standFor } from './context-of.ts'
import { offerRegistrations } from './offer-registrations.ts'
import { recordFastify } from './record-fastify.ts'
import { asOwner, currentOwner, originHere } from './registration-origin.ts'

/** How a plugin asks for the context that it gets. */
export interface RegisterOptions {
  /** The name of the context; the function's where it is left out. */
  readonly context?: string
  readonly prefix?: string
  readonly [option: string]: unknown
}

/** Travels with the options of a plugin to the moment in which Fastify makes its instance. */
const FORK = Symbol('fork')

interface Fork extends Origin {
  readonly name: string
}

/**
 * Carries the tree of contexts and Fastify's encapsulation side by side. Code enters by `register`, as it does in
 * Fastify: a bare plugin forks a context in both, a shared one in neither. HTTP scope stays Fastify's own; what
 * concerns flows is registered in the tree, at the place that the instance it is called on stands for.
 */
export class PluginHost {
  readonly #root: FastifyInstance
  readonly #tree: ContextTree
  readonly #instances = new Map<string, FastifyInstance>()
  readonly #onContext: (instance: FastifyInstance, path: string) => void

  /** `onContext` is called for every context that code forks, when the body of its plugin is done. */
  constructor(
    root: FastifyInstance,
    tree: ContextTree,
    onContext: (instance: FastifyInstance, path: string) => void
  ) {
    this.#root = root
    this.#tree = tree
    this.#onContext = onContext
    this.#instances.set(ROOT, root)
    standFor(root, ROOT)
    offerRegistrations(root, tree)
    recordFastify(root, tree)
    this.#watchRegister()
  }

  /** The Fastify instance of a context that code made. */
  instanceOf(path: string): FastifyInstance {
    return this.#instances.get(path) ?? this.#root
  }

  /** Registers a plugin of others in the root context. */
  async register(plugin: AnyPlugin, owner: string): Promise<void> {
    await asOwner(owner, () => this.#root.register(plugin))
  }

  /** Instances inherit from their parent, so one wrapper on the root sees every plugin that plugins register. */
  #watchRegister(): void {
    const host = this
    const register = this.#root.register as AnyPlugin
    Object.assign(this.#root, {
      register(this: FastifyInstance, plugin: unknown, options: RegisterOptions = {}) {
        // What Millrace itself registers is no context of the tree.
        if (currentOwner() === undefined || typeof plugin !== 'function') {
          return register.call(this, plugin, options)
        }
        return register.call(this, ...host.#admit(plugin as AnyPlugin, options))
      }
    })
    this.#root.addHook('onRegister', function (this: FastifyInstance, child, options) {
      const fork = (options as unknown as Record<symbol, Fork | undefined>)[FORK]
      standFor(child, contextOf(this))
      if (fork !== undefined) host.#fork(child, contextOf(this), fork)
    })
  }

  #fork(child: FastifyInstance, parent: string, { name, owner, source }: Fork): void {
    const path = this.#tree.fork(parent, name, { owner, source })
    standFor(child, path)
    this.#instances.set(path, child)
  }

  /** A plugin of others, made to run under its own name, and the options that fork a context for it. */
  #admit(plugin: AnyPlugin, options: RegisterOptions): [AnyPlugin, RegisterOptions] {
    const name = contextNameOf(plugin)
    const owner = pluginName(plugin) || name
    if (isShared(plugin)) {
      refusePrefix(owner, options)
      return [this.#standIn(plugin, owner), options]
    }
    const fork: Fork = { name: options.context ?? name, owner, source: originHere(owner).source }
    return [this.#standIn(plugin, owner), { ...options, [FORK]: fork }]
  }

  #standIn(plugin: AnyPlugin, owner: string): AnyPlugin {
    const { source } = originHere(owner)
    const stand = async (instance: FastifyInstance, options: object): Promise<void> => {
      const path = contextOf(instance)
      try {
        this.#tree.register(path, { kind: 'plugin', name: owner, value: plugin, owner, source })
        await asOwner(owner, () => runBody(plugin, instance, options))
        if (!isShared(plugin)) this.#onContext(instance, path)
      } catch (error) {
        throw failedToLoad(owner, path, error)
      }
    }
    return takeIdentity(stand, plugin)
  }
}

/** A plugin ends with the promise that it returns, or where it takes a callback, by calling it. */
function runBody(plugin: AnyPlugin, instance: FastifyInstance, options: object): unknown {
  if (plugin.length < 3) return plugin(instance, options)
  return new Promise<void>((resolve, reject) => {
    plugin(instance, options, (error?: unknown) => (error == null ? resolve() : reject(error)))
  })
}

/** Fastify drops the prefix of a shared plugin without a word: its routes would stand where nobody looks. */
function refusePrefix(owner: string, { prefix, context }: RegisterOptions): void {
  if (prefix === undefined && context === undefined) return
  const option = prefix === undefined ? 'context' : 'prefix'
  throw new MillraceError(
    'registration_refused',
    `${owner} is shared, so it has no context of its own and "${option}" has no effect. Drop the option, or register it bare.`
  )
}

/** The innermost plugin that failed is the one to name; those around it only pass the error on. */
function failedToLoad(owner: string, path: string, error: unknown): MillraceError {
  if (error instanceof MillraceError && error.code === 'plugin_failed') return error
  return new MillraceError(
    'plugin_failed',
    `Plugin "${owner}" failed to load in context "${path}": ${messageOf(error).replaceAll(/\s*\n\s*/g, ' ')}`,
    { cause: error }
  )
}
