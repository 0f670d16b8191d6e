import { fileURLToPath } from 'node:url'
import { pinnedNode, pinnedVersion } from './install.mjs'
import { load } from './load.mjs'
import { run } from './run-command.mjs'

const child = fileURLToPath(new URL('child.mjs', import.meta.url))

/**
 * Runs a TypeScript file of this repository on the pinned Node. After the first start npm finds that Node in
 * node_modules/.bin, before the machine's own: then we are it already, and no second process is needed.
 */
export async function runOnPinnedNode(file, args = []) {
  if (process.versions.node === pinnedVersion) return load(file, args)
  // The ipc channel carries no messages. It closes when we die, even by SIGKILL; see child.mjs.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  process.exitCode = await run(pinnedNode(), [child, file, ...args], { stdio })
}
