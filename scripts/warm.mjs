import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { pinnedNode } from './install.mjs'
import { compile, compileCache } from './load.mjs'
import { run } from './run-command.mjs'

const thisFile = fileURLToPath(import.meta.url)

/**
 * Fills the compile cache before the very first start, in a process of its own. What strips the types is 30 MB of
 * WebAssembly, and a process that has needed it once keeps it for as long as it lives.
 */
export async function warmCompileCache() {
  if (!existsSync(compileCache)) await run(pinnedNode(), [thisFile])
}

if (process.argv[1] === thisFile) await compile('src/main.ts')
