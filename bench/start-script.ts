import type { ChildProcess } from 'node:child_process'
import { waitForLine } from './ready-line.ts'
import { ROOT } from './service-process.ts'
import type { Workspace } from './workspace.ts'

/** Starts a server of the bench; `line` is what it prints when it is ready, with its address. */
export async function startScript(
  workspace: Workspace,
  args: readonly string[],
  line: RegExp,
  withinMs = 30_000
): Promise<{ url: string; pid: number; child: ChildProcess }> {
  const child = workspace.spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  return { url: await waitForLine(child, line, withinMs), pid: child.pid!, child }
}
