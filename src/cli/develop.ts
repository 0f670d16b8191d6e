import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CommandError } from './command-error.ts'
import { changedSource, nextSources, readSources } from './source-change.ts'

/** The same file in the clone and in the package. */
const COMMAND = fileURLToPath(new URL('../../bin/millrace.mjs', import.meta.url))
/** Longer than a service takes to stop; one that loads a plugin with an endless loop never would. */
const KILL_AFTER_MS = 11_000

export interface Development {
  /** The folder whose sources are watched, and in which the service is started. */
  readonly folder: string
  /** With the plugin among those to load. */
  readonly env: NodeJS.ProcessEnv
  readonly say: (line: string) => void
  /** Ends it. */
  readonly signal: AbortSignal
}

/** As MILLRACE_PLUGINS takes it, which knows a file from a package by its first character. */
export function pluginPath(folder: string, file: string): string {
  const path = resolve(folder, file)
  if (!existsSync(path)) throw new CommandError(`There is no file ${path}. Say which one is the plugin.`)
  return `./${relative(folder, path)}`
}

/** The service in a process of its own, which ends and begins anew whenever a source changes. */
export async function develop({ folder, env, say, signal }: Development): Promise<void> {
  let sources = readSources(folder)
  while (!signal.aborted) {
    const service = startService(folder, env)
    service.once('exit', () => signal.aborted || say('Millrace starts again when a file changes.'))
    const after = await nextSources(folder, sources, signal).finally(() => stop(service))
    const changed = changedSource(sources, after)
    if (changed !== undefined) say(`${changed} has changed: Millrace starts again.`)
    sources = after
  }
}

/** The channel carries no messages: it closes when this process is killed, and the service ends by that. */
function startService(cwd: string, env: NodeJS.ProcessEnv): ChildProcess {
  const args = [...process.execArgv, COMMAND, 'start']
  return spawn(process.execPath, args, { cwd, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
}

async function stop(service: ChildProcess): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return
  service.removeAllListeners('exit')
  const ended = once(service, 'exit')
  service.kill('SIGTERM')
  const timer = setTimeout(() => service.kill('SIGKILL'), KILL_AFTER_MS)
  await ended
  clearTimeout(timer)
}
