import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../../contexts/context-path.ts'
import { type AnyPlugin, nameAnonymous } from '../../contexts/share-plugin.ts'
import type { LoadedPlugin } from '../mount-service.ts'
import { ImportWatch } from './import-watch.ts'
import { LentPackages } from './lend-packages.ts'
import { failedToLoad } from './load-failure.ts'
import { shortPath } from './stack-lines.ts'

/** Imports the modules and files that MILLRACE_PLUGINS names. */
export async function importPlugins(names: readonly string[], folder: string): Promise<LoadedPlugin[]> {
  const plugins: LoadedPlugin[] = []
  const watch = new ImportWatch()
  const lent = new LentPackages()
  try {
    for (const name of names) plugins.push(await loadPlugin(name, folder, watch))
  } finally {
    lent.end()
    watch.end()
  }
  return plugins
}

async function loadPlugin(name: string, folder: string, watch: ImportWatch): Promise<LoadedPlugin> {
  try {
    const plugin = nameAnonymous(await importPlugin(name, folder), basename(name))
    return { plugin, source: isPath(name) ? shortPath(name) : name }
  } catch (error) {
    throw failedToLoad(name, ROOT, error, await watch.placeOf(error))
  }
}

async function importPlugin(name: string, folder: string): Promise<AnyPlugin> {
  const module = (await import(addressOf(name, folder))) as { default?: unknown }
  if (typeof module.default === 'function') return module.default as AnyPlugin
  throw new Error(
    'its default export is not a function. Write export default async function name (context, options) { … }.'
  )
}

function addressOf(name: string, folder: string): string {
  return isPath(name) ? fileAddress(resolve(folder, name)) : packageAddress(name, folder)
}

function isPath(name: string): boolean {
  return /^[./]/.test(name)
}

/** A folder stands for what its package.json or index.js says, as it does where Node requires it. */
function fileAddress(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined)
    throw new Error(`there is no file ${path}. Write its path from where Millrace is started.`)
  return pathToFileURL(found.isDirectory() ? fileIn(path) : path).href
}

function fileIn(folder: string): string {
  try {
    return createRequire(join(folder, 'package.json')).resolve(folder)
  } catch {
    throw new Error(`${folder} is a folder, and has no index.js. Name the file in it.`)
  }
}

/** A package is one of the folder that Millrace is started in, else one of Millrace's own. */
function packageAddress(name: string, folder: string): string {
  try {
    return pathToFileURL(createRequire(join(folder, 'package.json')).resolve(name)).href
  } catch {
    return ownPackageAddress(name, folder)
  }
}

function ownPackageAddress(name: string, folder: string): string {
  try {
    return import.meta.resolve(name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error(
      `there is no package "${name}" in ${folder}. Install it; or, if a file is meant, begin with ./ or /.`
    )
  }
}
