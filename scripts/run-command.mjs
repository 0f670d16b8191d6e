import { spawn } from 'node:child_process'
import { constants } from 'node:os'

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * Runs a command to its end and returns its exit code, 128 + signal if it died by one, as a shell does.
 * Signals meant for us go to the command, so that it can end in its own good time and we report how.
 */
export function run(command, args, { onOutput, ...options } = {}) {
  const child = spawn(command, args, { stdio: 'inherit', ...options })
  child.stdout?.on('data', onOutput)
  child.stderr?.on('data', onOutput)
  const stopForwarding = forwardSignals(child)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]))
  }).finally(stopForwarding)
}

function forwardSignals(child) {
  const forward = (signal) => child.kill(signal)
  for (const signal of forwarded) process.on(signal, forward)
  return () => {
    for (const signal of forwarded) process.off(signal, forward)
  }
}
