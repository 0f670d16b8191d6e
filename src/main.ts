import { readFileSync } from 'node:fs'
import { pino } from 'pino'
import packageJson from '../package.json' with { type: 'json' }
import { readConfig } from './config.ts'
import { MillraceError } from './errors.ts'
import { firstStartText } from './greeting.ts'
import { createRuntime, type Runtime } from './runtime.ts'

/** The only file that reads the environment. Configuration in, a running service out. */
async function main(): Promise<void> {
  const config = readConfig(process.env, (path) => readFileSync(path, 'utf8'))
  const log = pino({ level: config.logLevel, base: null }, pino.destination({ dest: 2, sync: true }))
  const runtime = await createRuntime({ config, log, version: packageJson.version, folder: process.cwd() })
  stopOnSignal(runtime)
  const { address, isFirstStart, generatedKey } = await runtime.start()
  if (isFirstStart) process.stdout.write(`${firstStartText(address, generatedKey)}\n`)
  process.stdout.write(`Millrace is ready at ${address}\n`)
}

function stopOnSignal(runtime: Runtime): void {
  let isStopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping) return
      isStopping = true
      runtime.stop().then(
        () => process.exit(0),
        (error) => fail(error)
      )
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

main().catch(fail)
