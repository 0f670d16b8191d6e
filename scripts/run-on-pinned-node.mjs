import { fileURLToPath } from 'node:url'
import { pinnedNode, pinnedVersion } from './install.mjs'
import { load } from './load.mjs'
import { run } from './run-command.mjs'

export { serviceProcess } from './service-process.mjs'

const child = fileURLToPath(new URL('child.mjs', import.meta.url))
const self = fileURLToPath(new URL('self.mjs', import.meta.url))

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
