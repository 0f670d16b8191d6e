import { homedir } from 'node:os'
import { MillraceError } from '../errors.ts'
import { type Command, isRemote } from './command.ts'
import { CommandError } from './command-error.ts'
import { readCommand } from './read-command.ts'
import type { Env } from './remote/outside.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The command `millrace`. */
export async function main(): Promise<void> {
  try {
    await execute(readCommand(process.argv.slice(2)))
  } catch (error) {
    if (!(error instanceof CommandError) && !(error instanceof MillraceError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = error instanceof CommandError ? error.exitCode : 1
  }
}

async function execute(command: Command): Promise<void> {
  if (isRemote(command)) return speakToService(command)
  switch (command.name) {
    case 'plugin':
      return writePlugin(command)
    case 'dev':
      return dev(command.operands.file)
    case 'doctor':
      return doctor(command.options.json)
    case 'backup':
      return backUp(command.operands.file)
    case 'migrate-store':
      return migrateStore(command.options.restart)
    case 'rotate-secrets':
      return rotateSecrets()
    case 'sign-in':
      return (await service()).signIn()
    case 'start':
      return (await service()).main()
    case 'worker':
      return (await service()).main('worker')
    // They were given already, by scripts/help.mjs and complete.mjs, wherever there is anything to give.
    case 'help':
    case 'completion':
      throw new CommandError(`There is no help for that. millrace --help lists the commands.`)
  }
}

/** Ctrl-C ends it in its own way, and a second one at once. */
async function speakToService(
  command: Parameters<typeof import('./remote/run-remote.ts').runRemote>[0]
): Promise<void> {
  const [{ environment }, { runRemote }] = await Promise.all([service(), import('./remote/run-remote.ts')])
  const stop = new AbortController()
  for (const signal of SIGNALS) process.once(signal, () => stop.abort())
  // Whoever reads our answer may have had enough of it, such as `head`.
  process.stdout.on('error', () => process.exit(0))
  process.exitCode = await runRemote(command, {
    env: environment() as Env,
    platform: process.platform,
    home: homedir(),
    folder: process.cwd(),
    input: process.stdin,
    output: process.stdout,
    notes: process.stderr,
    now: Date.now,
    signal: stop.signal
  })
}

async function writePlugin({ operands, options }: Command<'plugin'>): Promise<void> {
  const { writePlugin } = await import('./write-plugin.ts')
  print(await writePlugin({ plugin: operands.name, directory: options.directory }, process.cwd()))
}

/** Ctrl-C ends it together with the service. */
async function dev(file: string): Promise<void> {
  const folder = process.cwd()
  const [{ environmentWith }, { develop, pluginPath }] = await Promise.all([
    service(),
    import('./develop.ts')
  ])
  const stop = new AbortController()
  for (const signal of SIGNALS) process.on(signal, () => stop.abort())
  await develop({
    folder,
    env: environmentWith(pluginPath(folder, file)),
    say: (line) => print(`${line}\n`),
    signal: stop.signal
  })
}

async function doctor(json: boolean): Promise<void> {
  const { configuration } = await service()
  const { examine, hasFault, reportOf } = await import('./doctor.ts')
  const findings = await examine({ configuration, node: process.versions.node, now: Date.now })
  print(json ? `${JSON.stringify({ ok: !hasFault(findings), findings }, null, 2)}\n` : reportOf(findings))
  if (hasFault(findings)) process.exitCode = 1
}

async function backUp(file: string): Promise<void> {
  const { configuration } = await service()
  const { backUp } = await import('./back-up.ts')
  print(await backUp(configuration(), file, process.cwd()))
}

/** Ctrl-C ends it after the batch under way, and a second one at once; nothing is lost either way. */
async function migrateStore(restart: boolean): Promise<void> {
  const { configuration } = await service()
  const { migrateStore } = await import('./migrate-store.ts')
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const order = { config: configuration(), restart, output: process.stderr, signal: stop.signal }
  print(await migrateStore(order))
}

async function rotateSecrets(): Promise<void> {
  const { configuration } = await service()
  const { rotateSecrets } = await import('./rotate-secrets.ts')
  const { says, hasBroken } = await rotateSecrets(configuration())
  print(says)
  if (hasBroken) process.exitCode = 1
}

/** Imported only now: nobody who writes a plugin waits for the whole service to load. */
function service() {
  return import('../main.ts')
}

function print(text: string): void {
  process.stdout.write(text)
}
