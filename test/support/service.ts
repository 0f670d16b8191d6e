import { type Logger, pino } from 'pino'
import { type Clock, systemClock } from '../../src/clock.ts'
import { createRuntime, type Runtime } from '../../src/runtime.ts'
import { readConfig } from '../../src/startup/config.ts'
import { ApiClient } from './api-client.ts'
import { cleanUp, type Lifetime, lifetimeOfFile } from './clean-up.ts'
import { pluginPaths, ROOT, stage, stageEnvironment, temporaryFolder } from './stage.ts'

export { pluginPaths, ROOT, stage, stageEnvironment, temporaryFolder } from './stage.ts'

export interface ServiceOptions {
  /** The folder of a service that was stopped before; absent is a new one. */
  readonly home?: string
  /** Variables as an operator sets them. */
  readonly env?: Readonly<Record<string, string>>
  /** Files in test/plugins, by name. */
  readonly plugins?: readonly string[]
  readonly clock?: Clock
  /** A built page other than the repository's own. */
  readonly pageFolder?: string
  /** Where the service logs; absent is nowhere. */
  readonly log?: Logger
  /** Called before the service starts. */
  readonly prepare?: (runtime: Runtime) => void
}

/** The whole service in this process, reached over HTTP. */
export class Service extends ApiClient {
  readonly home: string
  readonly runtime: Runtime
  /** At the first start of its folder. */
  readonly signInToken: string | null
  #stopped: Promise<void> | undefined

  constructor(test: Lifetime, parts: Pick<Service, 'address' | 'key' | 'home' | 'runtime' | 'signInToken'>) {
    super(test, parts.address, parts.key)
    this.home = parts.home
    this.runtime = parts.runtime
    this.signInToken = parts.signInToken
  }

  stop(): Promise<void> {
    this.#stopped ??= this.runtime.stop()
    return this.#stopped
  }
}

async function takePort(test: Lifetime): Promise<number> {
  const { ports } = stage
  if (ports === undefined) return 0
  const port = await ports.take()
  cleanUp(test, () => ports.giveBack(port))
  return port
}

const API_KEY = 'test-key-0123456789abcdef'

export async function startService(test: Lifetime, options: ServiceOptions = {}): Promise<Service> {
  const home = options.home ?? (await temporaryFolder(test))
  const env = {
    PORT: options.env?.PORT ?? String(await takePort(test)),
    MILLRACE_HOME: home,
    MILLRACE_API_KEY: API_KEY,
    MILLRACE_PLUGINS: pluginPaths(options.plugins ?? []),
    ...(await stageEnvironment(home)),
    ...options.env
  }
  const runtime = await createRuntime({
    config: readConfig(env, () => ''),
    log: options.log ?? pino({ level: 'silent' }),
    version: '0.0.0-test',
    folder: ROOT,
    ...(options.clock && { clock: options.clock }),
    ...(options.pageFolder === undefined ? {} : { pageFolder: options.pageFolder })
  })
  options.prepare?.(runtime)
  const { address, signInToken } = await runtime.start()
  const service = new Service(test, { address, key: env.MILLRACE_API_KEY, home, runtime, signInToken })
  cleanUp(test, () => service.stop())
  return service
}

/**
 * One service for the tests of a file that look at nothing but the flows they make: to start one takes 50 ms of a
 * processor, on PostgreSQL 150. To be called at its top.
 */
export function serviceOfFile(options: ServiceOptions = {}): (test: Lifetime) => Promise<ApiClient> {
  const lifetime = lifetimeOfFile()
  let started: Promise<Service> | undefined
  // Tests outlive their file, and hold it.
  cleanUp(lifetime, () => {
    started = undefined
  })
  return async (test) => {
    started ??= startService(lifetime, options)
    const { address, key } = await started
    return new ApiClient(test, address, key)
  }
}

/** A clock that can be put forward. Timers go by the real one. */
export function shiftedClock(): { readonly clock: Clock; advance(ms: number): void } {
  let shift = 0
  return {
    clock: { ...systemClock(), now: () => Date.now() + shift },
    advance: (ms) => {
      shift += ms
    }
  }
}
