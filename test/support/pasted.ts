import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'

/** What somebody copied from the page, and what comes of it where it is pasted. */

const start = promisify(execFile)

type Env = Readonly<Record<string, string>>

export function clipboardOf(page: Page): Promise<string> {
  return page.evaluate('navigator.clipboard.readText()')
}

export function pasteInShell(command: string, env: Env = {}): Promise<string> {
  return outputOf('sh', ['-c', command], env)
}

export function pasteInNode(program: string, env: Env = {}): Promise<string> {
  return outputOf(process.execPath, ['--input-type=module', '-e', program], env)
}

export function pasteInPython(program: string, env: Env = {}): Promise<string> {
  return outputOf('python3', ['-c', program], env)
}

async function outputOf(command: string, args: readonly string[], env: Env): Promise<string> {
  const options = { env: { PATH: process.env.PATH, ...env }, timeout: 30_000 }
  return (await start(command, args, options)).stdout
}
