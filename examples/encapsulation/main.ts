import type { FastifyInstance } from 'fastify'
import { buildServer, type ServerOptions } from './server.ts'

interface Settings extends ServerOptions {
  readonly host: string
  readonly port: number
}

async function main(): Promise<void> {
  const { host, port, keys, shared } = readSettings(process.env, process.argv.slice(2))
  const app = buildServer({ keys, shared })
  const listening = app.listen({ host, port })
  closeOnSignal(app, listening)
  const mode = shared ? ' (--shared)' : ''
  process.stdout.write(`The encapsulation example${mode} is ready at ${await listening}\n`)
}

function readSettings(env: NodeJS.ProcessEnv, args: readonly string[]): Settings {
  const stray = args.find((arg) => arg !== '--shared')
  if (stray !== undefined) throw new Error(`"${stray}" is not an option. The only one is --shared.`)
  return {
    host: env.HOST || '127.0.0.1',
    port: readPort(env.PORT || '7861'),
    keys: readKeys(env.API_KEYS ?? ''),
    shared: args.includes('--shared')
  }
}

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new Error(`PORT is "${text}". Write a whole number from 0 to 65535, for example 7861.`)
}

/** A guard without a key, or with one that no request can carry, would lock everybody out without a word. */
function readKeys(text: string): string[] {
  const keys = text.split(',').map((key) => key.trim())
  const given = keys.filter((key) => key !== '')
  if (given.length === 0) {
    throw new Error(
      'API_KEYS has no key. Set it to the keys that the guard accepts, for example API_KEYS=red,blue.'
    )
  }
  const bad = given.findIndex((key) => !/^[!-~]+$/.test(key))
  if (bad === -1) return given
  throw new Error(
    `Key ${bad + 1} in API_KEYS cannot travel in a header. Use ASCII letters, digits and punctuation.`
  )
}

function closeOnSignal(app: FastifyInstance, listening: Promise<string>): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    // Not before it listens: a server that is closed while it starts reports that as a failed start.
    process.on(signal, () => listening.then(() => app.close()).then(() => process.exit(0), fail))
  }
}

function fail(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error)
  process.stderr.write(`The encapsulation example cannot start: ${reason}\n`)
  process.exit(1)
}

main().catch(fail)
