import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The processes and folders of one measurement. Whatever happens, none of them outlives it. */
export interface Workspace {
  spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess
  /** A new folder below the system's temporary one. */
  folder(name: string): string
  close(): void
}

const SIGNAL_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

export function openWorkspace(): Workspace {
  const children = new Set<ChildProcess>()
  const folders: string[] = []

  function spawnChild(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
    const child = spawn(command, args, options)
    children.add(child)
    child.once('exit', () => children.delete(child))
    return child
  }

  function folder(name: string): string {
    const path = mkdtempSync(join(tmpdir(), `millrace-${name}-`))
    folders.push(path)
    return path
  }

  // Synchronous on purpose: it is also what runs when the process exits, where nothing can be waited for.
  function cleanUp(): void {
    for (const child of children) child.kill('SIGKILL')
    for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  }

  const exitOnSignal = (signal: keyof typeof SIGNAL_CODES) => process.exit(SIGNAL_CODES[signal])
  process.on('exit', cleanUp)
  for (const signal of Object.keys(SIGNAL_CODES)) process.on(signal, exitOnSignal)

  function close(): void {
    process.off('exit', cleanUp)
    for (const signal of Object.keys(SIGNAL_CODES)) process.off(signal, exitOnSignal)
    cleanUp()
  }

  return { spawn: spawnChild, folder, close }
}
