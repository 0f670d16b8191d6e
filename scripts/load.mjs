import module from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './install.mjs'

export const compileCache = join(root, 'node_modules', '.cache', 'millrace-compile')

/** Runs a TypeScript file of this repository in this process, which has to be the pinned Node. */
export async function load(file, args) {
  const path = resolve(root, file)
  module.enableCompileCache(compileCache)
  process.argv.splice(1, Infinity, path, ...args)
  await import(pathToFileURL(path).href)
  // Node writes the cache at a clean exit; a service that is only ever killed would never have one.
  module.flushCompileCache()
}
