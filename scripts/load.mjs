import module from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './install.mjs'
import { StrippedSources } from './stripped-sources.mjs'

export const compileCache = join(root, 'node_modules', '.cache', 'millrace-compile')
export const strippedSources = join(compileCache, 'stripped-sources')
export const sources = pathToFileURL(join(root, 'src/')).href

/**
 * Runs a TypeScript file of this repository in this process, which has to be the pinned Node: its `main`, where
 * it exports one, else whatever it does when it is imported.
 */
export async function load(file, args) {
  process.argv.splice(1, Infinity, resolve(root, file), ...args)
  takeImportsAtTheirWord()
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

/**
 * Our sources name the file that they import. Node would look whether it is there, whether it is a link, and what each folder
 * above it says of the kind of its modules: for 1,200 files a seventh of what a start takes of a processor, and 3 MB.
 */
function takeImportsAtTheirWord() {
  const stripped = new StrippedSources(strippedSources, sources)
  module.registerHooks({
    resolve(name, context, next) {
      const { parentURL } = context
      if (!/^\..*\.ts$/.test(name) || !parentURL?.startsWith(sources)) return next(name, context)
      return { url: new URL(name, parentURL).href, format: 'module-typescript', shortCircuit: true }
    },
    load(url, context, next) {
      const source = stripped.of(url)
      return source === undefined ? next(url, context) : { source, format: 'module', shortCircuit: true }
    }
  })
}
