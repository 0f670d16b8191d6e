import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'

export interface StoreChild {
  readonly process: ChildProcess
  /** What the child says; ends when the child does. */
  readonly lines: AsyncIterableIterator<string>
  /** Resolves when the child is gone. */
  kill(): Promise<void>
}

const program = join(import.meta.dirname, 'store-child.test-kit.ts')

/**
 * Starts the child program; `fileBlocks` bounds, softly, how long a file may grow, in blocks of the shell.
 */
export function startChild(
  t: TestContext,
  act: 'hold' | 'load' | 'fill' | 'families',
  folder: string,
  fileBlocks?: number
): StoreChild {
  const command = [process.execPath, program, act, folder]
  const limited = ['sh', '-c', `ulimit -S -f ${fileBlocks}; exec "$@"`, 'sh', ...command]
  const [file, ...args] = fileBlocks === undefined ? command : limited
  const child = spawn(file!, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(child.stdout!)[Symbol.asyncIterator]()
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  t.after(kill)
  return { process: child, lines, kill }
}

export async function nextLine(child: StoreChild): Promise<string> {
  const { value, done } = await child.lines.next()
  if (done) throw new Error('the child has ended')
  return value
}
