import { readFileSync } from 'node:fs'
import packageJson from '../package.json' with { type: 'json' }
import { MillraceError } from './errors.ts'
import type { Runtime } from './runtime.ts'
import { type Config, readConfig } from './startup/config.ts'
import { firstStartText } from './startup/greeting.ts'

/** The only file that reads the environment. Configuration in, a running service out. */
export async function main(): Promise<void> {
  try {
    await serve()
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

export function configuration(): Config {
  return readConfig(process.env, (path) => readFileSync(path, 'utf8'))
}

async function serve(): Promise<void> {
  const stopping = stopOnSignal()
  const config = configuration()
  // Only now: commands that need no more than the configuration do not wait for the whole service to load.
  const [{ createRuntime }, { watchStrayErrors }, { pino }] = await Promise.all([
    import('./runtime.ts'),
    import('./startup/stray-errors.ts'),
    import('pino')
  ])
  const log = pino({ level: config.logLevel, base: null }, pino.destination({ dest: 2, sync: true }))
  // Without plugins all code is Millrace's own, and Node ends the process as it should.
  const strayErrors = config.plugins.length === 0 ? undefined : watchStrayErrors(log, fail)
  const runtime = await createRuntime({ config, log, version: packageJson.version, folder: process.cwd() })
  stopping.runtime = runtime
  const { address, isFirstStart, ...begun } = await runtime.start()
  if (isFirstStart) process.stdout.write(`${firstStartText(config.publicUrl ?? address, begun)}\n`)
  strayErrors?.outlive()
  process.stdout.write(`Millrace is ready at ${address}\n`)
}

/** Until there is a runtime nothing is accepted, so there is nothing to bring to an end. */
function stopOnSignal(): { runtime: Runtime | undefined } {
  const stopping: { runtime: Runtime | undefined } = { runtime: undefined }
  let isStopping = false
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // npm passes Ctrl-C on although the terminal has sent it already: one stop is enough.
      if (isStopping) return
      isStopping = true
      Promise.resolve(stopping.runtime?.stop()).then(() => process.exit(0), fail)
    })
  }
  return stopping
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
