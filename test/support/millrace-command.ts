import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import packageJson from '../../package.json' with { type: 'json' }
import { serviceProcess } from '../../scripts/run-on-pinned-node.mjs'
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
  /** By what is in the way of somebody who types it, too: the Node that is there, and what has to be installed. */
  readonly asTyped?: boolean
}

const TYPED = [join(ROOT, packageJson.bin.millrace)]
const { MILLRACE_TEST_COMMAND } = process.env
/** What `npm test` has put together: see scripts/test-service.mjs. */
const COMMAND =
  MILLRACE_TEST_COMMAND === undefined
    ? TYPED
    : [...serviceProcess.flags, join(ROOT, 'scripts/self.mjs'), MILLRACE_TEST_COMMAND]

/** `millrace …` in a process of its own; what it prints can be waited for. */
export function startMillrace(
  test: TestContext,
  args: readonly string[],
  options: CommandOptions = {}
): ChildService {
  const command = options.asTyped === true ? TYPED : COMMAND
  const child: ChildProcess = spawn(process.execPath, [...command, ...args], {
    cwd: options.cwd ?? ROOT,
    env: { ...inheritedEnvironment(), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const started = new ChildService(test, child, '')
  cleanUp(test, () => started.end('SIGKILL'))
  return started
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
