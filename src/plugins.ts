import { createRequire } from 'node:module'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './contexts/context-path.ts'
import { failedToLoad } from './http/load-failure.ts'
import type { LoadedPlugin } from './http/mount-service.ts'
import { type AnyPlugin, nameAnonymous } from './share.ts'

/** Imports the modules and files that MILLRACE_PLUGINS names. */
export async function importPlugins(names: readonly string[], folder: string): Promise<LoadedPlugin[]> {
  const plugins: LoadedPlugin[] = []
  for (const name of names) {
    try {
      plugins.push({ name, plugin: nameAnonymous(await importPlugin(name, folder), basename(name)) })
    } catch (error) {
      throw failedToLoad(name, ROOT, error)
    }
  }
  return plugins
}

async function importPlugin(name: string, folder: string): Promise<AnyPlugin> {
  const module = (await import(addressOf(name, folder))) as { default?: unknown }
  if (typeof module.default === 'function') return module.default as AnyPlugin
  throw new Error(
    'its default export is not a function. Write export default async function name (context, options) { … }.'
  )
}

/** A package is one of the folder that Millrace is started in, else one of Millrace's own. */
function addressOf(name: string, folder: string): string {
  if (/^[./]/.test(name)) return pathToFileURL(resolve(folder, name)).href
  try {
    return pathToFileURL(createRequire(join(folder, 'package.json')).resolve(name)).href
  } catch {
    return name
  }
}
