import packageJson from '../../package.json' with { type: 'json' }
import { HELP } from './help.ts'
import { type Command, CommandError, readCommand } from './read-command.ts'
import { writePlugin } from './write-plugin.ts'

/** The command `millrace`. */
export async function main(): Promise<void> {
  try {
    await perform(readCommand(process.argv.slice(2)))
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

async function perform(command: Command): Promise<void> {
  switch (command.name) {
    case 'help':
      return print(HELP)
    case 'version':
      return print(`${packageJson.version}\n`)
    case 'plugin':
      return print(await writePlugin(command, process.cwd()))
    case 'sign-in':
      return (await service()).signIn()
    case 'start':
      return (await service()).main()
  }
}

/** Imported only now: nobody who writes a plugin waits for the whole service to load. */
function service() {
  return import('../main.ts')
}

function print(text: string): void {
  process.stdout.write(text)
}
