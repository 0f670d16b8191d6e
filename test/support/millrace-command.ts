import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import packageJson from '../../package.json' with { type: 'json' }
import { ChildService, inheritedEnvironment } from './child-service.ts'
import { cleanUp } from './clean-up.ts'
import { ROOT } from './stage.ts'

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** `millrace …` as somebody types it, in a process of its own; what it prints can be waited for. */
export function startMillrace(
  test: TestContext,
  args: readonly string[],
  options: CommandOptions = {}
): ChildService {
  const child: ChildProcess = spawn(process.execPath, [join(ROOT, packageJson.bin.millrace), ...args], {
    cwd: options.cwd ?? ROOT,
    env: { ...inheritedEnvironment(), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const command = new ChildService(test, child, '')
  cleanUp(test, () => command.end('SIGKILL'))
  return command
}

export async function runMillrace(
  test: TestContext,
  args: readonly string[],
  options?: CommandOptions
): Promise<Ended> {
  const command = startMillrace(test, args, options)
  const { code, signal } = await command.ended
  return { code, signal, stdout: command.stdout, stderr: command.stderr }
}
