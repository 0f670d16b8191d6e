import { waitForLine } from './ready-line.ts'
import { ROOT } from './service-process.ts'
import type { Workspace } from './workspace.ts'

/** Starts the reference server and resolves to its address. It ends with the workspace. */
export function startBare(workspace: Workspace): Promise<string> {
  const child = workspace.spawn(process.execPath, ['bench/bare-fastify.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  return waitForLine(child, /Bare Fastify is ready at (http:\/\/\S+)\n/, 30_000)
}
