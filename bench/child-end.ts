import type { ChildProcess } from 'node:child_process'

/** How a process ended: its exit code, or the signal that killed it. */
export type End = number | NodeJS.Signals

/** Sends the signal and resolves when the process has ended, also when it had ended before. */
export function endChild(child: ChildProcess, signal: NodeJS.Signals): Promise<End> {
  const before = child.exitCode ?? child.signalCode
  if (before !== null) return Promise.resolve(before)
  return new Promise((resolve) => {
    child.once('exit', (code, by) => resolve(code ?? by!))
    child.kill(signal)
  })
}
