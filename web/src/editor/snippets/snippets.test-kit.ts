import { execFile, spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'

interface Call {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** A server that answers like a webhook and keeps what was sent. */
export async function startRecorder(
  t: TestContext
): Promise<{ readonly address: string; readonly calls: Call[] }> {
  const calls: Call[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString('utf8')
    calls.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body })
    response.writeHead(202, { 'content-type': 'application/json', connection: 'close' })
    response.end('{"status":"in progress"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => new Promise((resolve) => server.close(resolve)))
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls }
}

const run = promisify(execFile)

export const shell = (script: string, env: NodeJS.ProcessEnv = {}) => start('sh', ['-c', script], env)
export const node = (script: string, env: NodeJS.ProcessEnv = {}) =>
  start(process.execPath, ['--input-type=module', '-e', script], env)
export const python = (script: string, env: NodeJS.ProcessEnv = {}) => start('python3', ['-c', script], env)

function start(command: string, args: string[], env: NodeJS.ProcessEnv) {
  return run(command, args, {
    env: { PATH: process.env.PATH, ...env },
    timeout: 60_000,
    maxBuffer: 64 * 1024 * 1024
  })
}

/** Why a program cannot be used in this place, or false. */
export function lacks(command: string, ...args: string[]): string | false {
  const { status, error } = spawnSync(command, args, { stdio: 'ignore', timeout: 60_000 })
  return error === undefined && status === 0 ? false : `${[command, ...args].join(' ')} does not run here`
}

export const noPython = lacks('python3', '-c', 'pass')
