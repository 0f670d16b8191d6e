import module from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './install.mjs'

export const compileCache = join(root, 'node_modules', '.cache', 'millrace-compile')

/**
 * Runs a TypeScript file of this repository in this process, which has to be the pinned Node: its `main`, where
 * it exports one, else whatever it does when it is imported.
 */
export async function load(file, args) {
  process.argv.splice(1, Infinity, resolve(root, file), ...args)
  const { main } = await compile(file)
  await main?.()
}

/** Imports a file and all that it imports, so that the cache holds them. */
export async function compile(file) {
  module.enableCompileCache(compileCache)
  const loaded = await import(pathToFileURL(resolve(root, file)).href)
  // Node writes the cache at a clean exit; a service that is only ever killed would never have one.
  module.flushCompileCache()
  return loaded
}
