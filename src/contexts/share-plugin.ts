import { segmentFrom } from './context-path.ts'

/** How Fastify, fastify-plugin and Millrace know a plugin that registers into its parent context. */
const SKIP_OVERRIDE = Symbol.for('skip-override')
const DISPLAY_NAME = Symbol.for('fastify.display-name')
const PLUGIN_META = Symbol.for('plugin-meta')

// biome-ignore lint/suspicious/noExplicitAny: a plugin is any function; what it takes is between it and whoever registers it
export type AnyPlugin = (...args: any[]) => unknown

type Marked = Record<symbol, unknown>

/**
 * Makes a plugin register into its parent context instead of one of its own, one level up. Unlike fastify-plugin
 * it leaves the function that it is given as it is: where that one is registered bare, it still forks.
 */
export function share<P extends AnyPlugin>(plugin: P): P {
  const name = typeof plugin === 'function' ? pluginName(plugin) : ''
  if (name === '') {
    throw new TypeError(
      'share() takes a named function: its name tells people where a registration came from.'
    )
  }
  const shared = takeIdentity(((...args) => plugin(...args)) as P, plugin)
  withLength(shared, plugin.length)
  return mark(mark(shared, SKIP_OVERRIDE, true), DISPLAY_NAME, name)
}

export function isSharedPlugin(plugin: AnyPlugin): boolean {
  return Boolean((plugin as unknown as Marked)[SKIP_OVERRIDE])
}

/** The name that a plugin gives itself, or its function's. */
export function pluginName(plugin: AnyPlugin): string {
  const display = (plugin as unknown as Marked)[DISPLAY_NAME]
  return typeof display === 'string' ? display : plugin.name
}

/** A function without a name of its own is called after the file that it came from. */
export function nameAnonymous(plugin: AnyPlugin, name: string): AnyPlugin {
  if (!['', 'default'].includes(pluginName(plugin))) return plugin
  const named = takeIdentity((...args: unknown[]) => plugin(...args), plugin)
  withLength(named, plugin.length)
  return mark(named, DISPLAY_NAME, segmentFrom(name))
}

/** What the context of a plugin is called when nobody names it. */
export function contextNameOf(plugin: AnyPlugin): string {
  return segmentFrom(pluginName(plugin))
}

/** Gives one function the marks and the name of another, for standing in its place. */
export function takeIdentity<P extends AnyPlugin>(stand: P, plugin: AnyPlugin): P {
  for (const symbol of [SKIP_OVERRIDE, DISPLAY_NAME, PLUGIN_META]) {
    const value = (plugin as unknown as Marked)[symbol]
    if (value !== undefined) mark(stand, symbol, value)
  }
  Object.defineProperty(stand, 'name', { value: plugin.name, configurable: true })
  return stand
}

/** Calls back whenever Fastify looks at the metadata of a plugin, which it does right before it loads it. */
export function tellReaderOfMeta<P extends AnyPlugin>(plugin: P, tell: () => void): P {
  const meta = (plugin as unknown as Marked)[PLUGIN_META]
  if (meta === undefined) return plugin
  const get = () => {
    tell()
    return meta
  }
  return Object.defineProperty(plugin, PLUGIN_META, { get, configurable: true })
}

/** Fastify tells by the number of its parameters whether a function takes a callback. */
export function withLength<P extends AnyPlugin>(stand: P, length: number): P {
  return Object.defineProperty(stand, 'length', { value: length, configurable: true })
}

function mark<P extends AnyPlugin>(plugin: P, symbol: symbol, value: unknown): P {
  return Object.defineProperty(plugin, symbol, { value, configurable: true })
}
