import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ContextTree } from './contexts/context-tree.ts'
import { MillraceError, messageOf } from './errors.ts'
import { type AnyComponent, checkDefinition } from './flows/component.ts'

/** What a plugin gets: the context that it registers in. */
export interface PluginContext {
  component(definition: AnyComponent): void
}

type Plugin = (context: PluginContext, options: object) => unknown

/** Loads plugins one after the other; the first that fails stops the start with its name and the cause. */
export async function loadPlugins(
  names: readonly string[],
  tree: ContextTree,
  folder: string
): Promise<void> {
  for (const name of names) {
    try {
      const plugin = await importPlugin(name, folder)
      await plugin(rootContext(tree, name), {})
    } catch (error) {
      throw new MillraceError(
        'plugin_failed',
        // A start ends with one line, whatever the plugin says.
        `Plugin "${name}" failed to load in context "/": ${messageOf(error).replaceAll(/\s*\n\s*/g, ' ')}`,
        {
          cause: error
        }
      )
    }
  }
}

export function registerComponent(tree: ContextTree, definition: AnyComponent, owner: string): void {
  checkDefinition(definition)
  tree.register('/', { kind: 'component', name: definition.type, value: definition, owner, source: null })
}

function rootContext(tree: ContextTree, owner: string): PluginContext {
  return { component: (definition) => registerComponent(tree, definition, owner) }
}

async function importPlugin(name: string, folder: string): Promise<Plugin> {
  const isFile = /^[./]/.test(name)
  const module = (await import(isFile ? pathToFileURL(resolve(folder, name)).href : name)) as {
    default?: unknown
  }
  if (typeof module.default === 'function') return module.default as Plugin
  throw new Error(
    'its default export is not a function. Write export default async function name (context, options) { … }.'
  )
}
