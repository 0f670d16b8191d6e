import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { serviceProcess } from '../../scripts/run-on-pinned-node.mjs'
import { ApiClient } from './api-client.ts'
import { cleanUp } from './clean-up.ts'
import { ROOT, stageEnvironment, temporaryFolder } from './stage.ts'

export interface End {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** The service in a process of its own, as an operator runs it. */
export class ChildService {
  readonly child: ChildProcess
  readonly home: string
  /** How the process ended, once it has and all that it printed was read. */
  readonly ended: Promise<End>
  stdout = ''
  stderr = ''
  readonly #test: TestContext
  readonly #watchers = new Set<() => void>()

  constructor(test: TestContext, child: ChildProcess, home: string) {
    this.#test = test
    this.child = child
    this.home = home
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text
      this.#look()
    })
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text
      this.#look()
    })
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, signal) => resolve({ code, signal }))
    })
  }

  /** Where the service answers, as its ready line says. */
  async ready(): Promise<string> {
    return (await this.printed('stdout', /^Millrace is ready at (\S+)$/m))[1]!
  }

  /** What the pattern finds in the output, as soon as it is there; rejects when the process ends without it. */
  printed(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(this[stream])
        if (match === null) return
        this.#watchers.delete(look)
        resolve(match)
      }
      this.#watchers.add(look)
      look()
      this.ended.then(({ code, signal }) => {
        look()
        reject(
          new Error(
            `it ended with ${signal ?? code} and never printed ${pattern}:\n${this.stdout}${this.stderr}`
          )
        )
      }, reject)
    })
  }

  async client(key: string): Promise<ApiClient> {
    return new ApiClient(this.#test, await this.ready(), key)
  }

  end(signal: NodeJS.Signals): Promise<End> {
    this.child.kill(signal)
    return this.ended
  }

  #look(): void {
    for (const look of [...this.#watchers]) look()
  }
}

export interface SpawnOptions {
  readonly home?: string
  readonly env?: Readonly<Record<string, string>>
  /** Put before `exec node` in a shell, for example a limit. */
  readonly shell?: string
  /** What is started instead of the service. */
  readonly file?: string
  /** The folder to start it in; the repository's unless told otherwise. */
  readonly cwd?: string
}

export const CHILD_KEY = 'child-key-0123456789abcdef'

/** What `npm test` has put together of the sources, as they are published; without it they are started as they are. */
const SERVICE = process.env.MILLRACE_TEST_SERVICE ?? join(ROOT, 'src/main.ts')

/** Starts the service; whoever wants it to be ready waits for that. It is killed when the test is over. */
export async function spawnService(test: TestContext, options: SpawnOptions = {}): Promise<ChildService> {
  // A test that has run out of time goes on in the dark; what it starts now nobody would end.
  test.signal.throwIfAborted()
  const home = options.home ?? join(await temporaryFolder(test), 'home')
  const staged = await stageEnvironment(home)
  const env = { ...inheritedEnvironment(), PORT: '0', MILLRACE_HOME: home, ...staged, ...options.env }
  const command = [...serviceProcess.flags, options.file === undefined ? SERVICE : join(ROOT, options.file)]
  const cwd = options.cwd ?? ROOT
  const settings = { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'] }
  const child =
    options.shell === undefined
      ? spawn(process.execPath, command, settings)
      : spawn('sh', ['-c', `${options.shell}; exec "$0" "$@"`, process.execPath, ...command], settings)
  const service = new ChildService(test, child, home)
  cleanUp(test, () => service.end('SIGKILL'))
  return service
}

/** Nothing of the settings of whoever runs the tests may reach the service. */
export function inheritedEnvironment(): Record<string, string | undefined> {
  const ours = /^(?:MILLRACE_|NODE_OPTIONS$|NODE_TEST_CONTEXT$|DATABASE_URL|HOST$|PORT$|LOG_LEVEL$)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)))
}
