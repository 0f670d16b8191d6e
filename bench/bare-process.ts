import { waitForLine } from './ready-line.ts'
import { ROOT } from './service-process.ts'
import type { Workspace } from './workspace.ts'

/** Starts the reference server. It ends with the workspace. */
export async function startBare(
  workspace: Workspace,
  script = 'bench/bare-fastify.ts',
  args: readonly string[] = []
): Promise<{ url: string; pid: number }> {
  const child = workspace.spawn(process.execPath, [script, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const url = await waitForLine(child, /Bare Fastify is ready at (http:\/\/\S+)\n/, 30_000)
  return { url, pid: child.pid! }
}
