// What tests start as a service, or as its command, in a process of its own: put together as it is published. To load 800 modules takes 0.85 s
// of a processor, and these files 0.45 s, a hundred times over. It is made once for each `npm test`.
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pinnedNode, root } from './install.mjs'
import { compile } from './load.mjs'
import { run } from './run-command.mjs'
import { serviceProcess } from './run-on-pinned-node.mjs'

const thisFile = fileURLToPath(import.meta.url)
// As deep as src/: the page and the packages are found from there.
const folder = join(root, '.test-service')

/** The variables that let tests start it. Whoever has none of them starts the sources. */
export const testService = {
  MILLRACE_TEST_SERVICE: join(folder, 'main.js'),
  MILLRACE_TEST_COMMAND: join(folder, 'cli.js')
}

/** In a process of its own, set up as the service is: V8 takes nothing that was compiled with other flags. */
export function buildTestService(start = run) {
  return start(pinnedNode(), [...serviceProcess.flags, thisFile])
}

async function build() {
  const { bundleService, loadedByPath } = await import('./package/bundle.mjs')
  const { compileUnrun } = await import('./warm.mjs')
  rmSync(folder, { recursive: true, force: true })
  await bundleService(folder)
  for (const file of loadedByPath()) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, 'src', file), join(folder, file))
  }
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'))
  // What every start runs is compiled with the functions that it calls.
  for (const file of files.filter((name) => /^runtime-/.test(name))) await compile(join(folder, file))
  await compileUnrun(files.map((file) => join('.test-service', file)))
}

if (process.argv[1] === thisFile) await build()
