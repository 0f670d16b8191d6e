import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../bench/drill/free-port.ts'
import { findMariaDb } from '../../scripts/install-mariadb.mjs'
import { type Certificate, VALID } from './certificates.ts'
import { cleanUp, type Lifetime } from './clean-up.ts'
import { perProcess } from './per-process.ts'

/** A real MariaDB server. */
export interface MariaDbServer {
  readonly port: number
  /** Without a password. */
  readonly user: string
  readonly database: string
  /** Shows this certificate from now on; without one, that of test/support/certificates.ts that is valid. */
  showCertificate(certificate?: Certificate): Promise<void>
  /** Stops it and starts it again on the same port with the same data. */
  restart(): Promise<void>
}

/** Started by the first test that needs it, stopped when all are over. */
export type TestMariaDb = () => Promise<MariaDbServer>

const ofProcess = perProcess(testServer)

/** One server for all test files of a process, which must not stop it. To be called at the top of a file. */
export function sharedMariaDb(): TestMariaDb {
  return ofProcess()
}

function testServer(lifetime: Lifetime): TestMariaDb {
  let started: Promise<Server> | undefined
  cleanUp(lifetime, async () => (await started)?.stop())
  return () => {
    started ??= startServer()
    return started
  }
}

/** The server ends with the shell's standard input, and its data with it: a test process that is killed leaves nothing. */
const keeper = `"$@" & server=$!
{ read -r _ <&3; kill -KILL "$server"; } & reader=$!
wait "$server"
kill "$reader" 2> /dev/null
[ -e "$DATA/.keep" ] || rm -rf "$DATA"`

async function startServer(): Promise<Server> {
  const found = findMariaDb()
  if (found === undefined)
    throw new Error(
      'There is no MariaDB. Install it (Debian: apt-get install mariadb-server-core mariadb-client-core).'
    )
  const data = await mkdtemp(join(tmpdir(), 'millrace-mariadb-'))
  const user = `--user=${userInfo().username}`
  const flags = ['--no-defaults', user, '--auth-root-authentication-method=normal', `--datadir=${data}`]
  await promisify(execFile)(found.install, [...flags, '--skip-test-db'], { cwd: '/' })
  const server = new Server({ program: found.server, data, user, port: await freePort() })
  await server.keep(VALID)
  await server.start()
  return server
}

interface ServerParts {
  readonly program: string
  readonly data: string
  readonly user: string
  readonly port: number
}

class Server implements MariaDbServer {
  readonly user = 'root'
  readonly database = 'mysql'
  readonly #parts: ServerParts
  #process: ChildProcess | undefined

  constructor(parts: ServerParts) {
    this.#parts = parts
  }

  get port(): number {
    return this.#parts.port
  }

  async start(): Promise<void> {
    const { program, data, user, port } = this.#parts
    const network = [
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${data}/s`,
      '--skip-name-resolve',
      `--ssl-cert=${data}/server.crt`,
      `--ssl-key=${data}/server.key`
    ]
    // Nothing here has to survive a power cut.
    const quick = ['--innodb-flush-log-at-trx-commit=0', '--innodb-buffer-pool-size=16M', '--skip-log-bin']
    const child = spawn(
      'sh',
      ['-c', keeper, 'sh', program, '--no-defaults', user, `--datadir=${data}`, ...network, ...quick],
      { cwd: '/', env: { PATH: process.env.PATH, DATA: data }, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] }
    )
    this.#process = child
    await ready(child)
  }

  async keep({ cert, key }: Certificate): Promise<void> {
    await writeFile(join(this.#parts.data, 'server.crt'), cert)
    await writeFile(join(this.#parts.data, 'server.key'), key, { mode: 0o600 })
  }

  async showCertificate(certificate = VALID): Promise<void> {
    await this.keep(certificate)
    const { createConnection } = await import('mysql2/promise')
    const client = await createConnection({ host: '127.0.0.1', port: this.port, user: this.user })
    await client.query('flush ssl')
    await client.end()
  }

  async restart(): Promise<void> {
    await promisify(execFile)('touch', [join(this.#parts.data, '.keep')])
    await this.#end()
    await rm(join(this.#parts.data, '.keep'))
    await this.start()
  }

  async stop(): Promise<void> {
    await this.#end()
    await rm(this.#parts.data, { recursive: true, force: true })
  }

  async #end(): Promise<void> {
    const child = this.#process
    if (child === undefined) return
    this.#process = undefined
    const closed = once(child, 'close')
    ;(child.stdio[3] as NodeJS.WritableStream).end()
    await closed
  }
}

function ready(child: ChildProcess): Promise<void> {
  let log = ''
  return new Promise((resolve, reject) => {
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      log += text
      if (log.includes('ready for connections')) resolve()
    })
    child.once('error', reject)
    child.once('close', () => reject(new Error(`MariaDB ended:\n${log}`)))
  })
}
