import { fileURLToPath } from 'node:url'
import { pinnedNode, pinnedVersion } from './install.mjs'
import { load } from './load.mjs'
import { run } from './run-command.mjs'

const child = fileURLToPath(new URL('child.mjs', import.meta.url))
const self = fileURLToPath(new URL('self.mjs', import.meta.url))

/**
 * How the service's process is set up. Left alone, Node begins with a young generation of 1 MB, in which the requests
 * under way are copied again and again (12 µs of each), lets garbage grow to four times what is in use, and the C
 * library keeps an arena of freed memory for every thread: 380 MB resident after 80,000 runs. With these about 200.
 *
 * Runs that wait for their turn live long, so V8 learns to put what is made where runs are accepted among the old
 * objects (pretenuring). But most of it is garbage within milliseconds: the old ones then have to be collected every
 * few seconds, and every request under way waits for it. Without it, the 99th percentile of accepting goes from
 * 21 to 16 ms (bare Fastify: 13), and a collection of the young ones from 1.5 to 0.8 ms.
 */
export const serviceProcess = {
  flags: [
    '--min-semi-space-size=8',
    '--max-semi-space-size=16',
    '--heap-growing-percent=100',
    '--no-allocation-site-pretenuring'
  ],
  env: { MALLOC_ARENA_MAX: '1' }
}

/**
 * Runs a TypeScript file of this repository on the pinned Node. After the first start npm finds that Node in
 * node_modules/.bin, before the machine's own: then we are it already, and no second process is needed. Where it
 * has to be set up otherwise, this process becomes it, with the same id.
 */
export async function runOnPinnedNode(file, args = [], { flags = [], env = {} } = {}) {
  const isPinned = process.versions.node === pinnedVersion
  const isSetUp = flags.every((flag) => process.execArgv.includes(flag))
  const allEnv = { ...process.env, ...env }
  if (isPinned && (isSetUp || process.platform === 'win32')) return load(file, args)
  if (isPinned) process.execve(process.execPath, [process.execPath, ...flags, self, file, ...args], allEnv)
  // The ipc channel carries no messages. It closes when we die, even by SIGKILL; see child.mjs.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  process.exitCode = await run(pinnedNode(), [...flags, child, file, ...args], { stdio, env: allEnv })
}
