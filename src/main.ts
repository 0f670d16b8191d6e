import { readFileSync } from 'node:fs'
import type { FastifyBaseLogger } from 'fastify'
import packageJson from '../package.json' with { type: 'json' }
import { MillraceError } from './errors.ts'
import type { Runtime } from './runtime.ts'
import { type Config, type Role, readConfig } from './startup/config.ts'
import { firstStartText } from './startup/greeting.ts'
import { setHeapToWork } from './startup/heap-at-work.ts'
import type { Watchdog } from './startup/watchdog/watchdog.ts'

/** The only file that reads the environment. Configuration in, a running service out; a role here goes before one there. */
export async function main(role?: Role): Promise<void> {
  try {
    await serve(role)
  } catch (error) {
    fail(error)
  }
}

/** The command `millrace sign-in`: a fresh link, for the same variables that the service was started with. */
export async function signIn(): Promise<void> {
  try {
    const { offerSignIn } = await import('./startup/offer-sign-in.ts')
    const link = await offerSignIn(configuration(), Date.now)
    process.stdout.write(`Open the page. The link signs you in once, within a day:\n\n  ${link}\n`)
  } catch (error) {
    process.stderr.write(`${error instanceof MillraceError ? error.message : stackOf(error)}\n`)
    process.exitCode = 1
  }
}

export function configuration(role?: Role): Config {
  const env = role === undefined ? process.env : { ...process.env, MILLRACE_ROLE: role }
  return readConfig(env, (path) => readFileSync(path, 'utf8'))
}

/** For commands that speak to a service, wherever it is. */
export function environment(): Readonly<Record<string, string | undefined>> {
  return process.env
}

/** The environment for a service that loads this plugin as well. */
export function environmentWith(plugin: string): NodeJS.ProcessEnv {
  const others = process.env.MILLRACE_PLUGINS
  return { ...process.env, MILLRACE_PLUGINS: others ? `${others},${plugin}` : plugin }
}

async function serve(role: Role | undefined): Promise<void> {
  const stopping: Stopping = {}
  stopOnSignal(stopping)
  const config = configuration(role)
  // Only now: commands that need no more than the configuration do not wait for the whole service to load.
  const [{ createRuntime }, { pino }] = await Promise.all([import('./runtime.ts'), import('pino')])
  const log = pino({ level: config.logLevel, base: null }, pino.destination({ dest: 2, sync: true }))
  const strayErrors = config.plugins.length === 0 ? undefined : await outliveStrayErrors(log)
  const { createWatchdog } = await import('./startup/watchdog/create-watchdog.ts')
  const watch = createWatchdog(config)
  const options = { config, log, version: packageJson.version, folder: process.cwd() }
  const runtime = await createRuntime({ ...options, watch })
  Object.assign(stopping, { runtime, watch })
  watch.start((error) => log.warn({ err: error }, 'nobody watches whether the service still answers'))
  const { address, isFirstStart, ...welcome } = await runtime.start()
  if (isFirstStart) process.stdout.write(`${firstStartText(config.publicUrl ?? address, welcome)}\n`)
  strayErrors?.outlive()
  setHeapToWork()
  process.stdout.write(`Millrace is ready at ${address}\n`)
  watch.ready()
}

/** Errors that nobody waits for, of plugins. Without them all code is Millrace's own: Node ends the process as it should. */
async function outliveStrayErrors(log: FastifyBaseLogger) {
  const { watchStrayErrors } = await import('./startup/stray-errors.ts')
  return watchStrayErrors(log, fail)
}

interface Stopping {
  runtime?: Runtime
  watch?: Watchdog
}

/** Until there is a runtime nothing is accepted, so there is nothing to bring to an end. */
function stopOnSignal(stopping: Stopping): void {
  let isStopping = false
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // npm passes Ctrl-C on although the terminal has sent it already: one stop is enough.
      if (isStopping) return
      isStopping = true
      stopping.watch?.stopping()
      const stopped = () => {
        stopping.watch?.stopped()
        process.exit(0)
      }
      Promise.resolve(stopping.runtime?.stop()).then(stopped, fail)
    })
  }
}

/** What somebody can mend is said in one line; anything else is a bug, and its stack is what helps. */
function fail(error: unknown): never {
  const isExpected = error instanceof MillraceError
  const text = isExpected ? `Millrace cannot start: ${error.message}` : `Millrace failed: ${stackOf(error)}`
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

if (import.meta.main) await main()
