import { parseArgs } from 'node:util'
import { messageOf } from '../errors.ts'
import { didYouMean } from '../flows/closest-name.ts'

export type Command =
  | { readonly name: 'start' | 'sign-in' | 'help' | 'version' }
  | { readonly name: 'plugin'; readonly plugin: string; readonly directory: string | undefined }

/** Something that whoever typed the command can mend. Its message is all that is printed. */
export class CommandError extends Error {}

const COMMANDS = ['start', 'sign-in', 'plugin']
const ADVICE = 'millrace --help lists the commands.'

/** What somebody typed after `millrace`. */
export function readCommand(args: readonly string[]): Command {
  const { values, positionals } = parse(args)
  if (values.help) return { name: 'help' }
  if (values.version) return { name: 'version' }
  const [name = 'start', ...operands] = positionals
  if (name === 'plugin') return readPlugin(operands, values.directory)
  if (name !== 'start' && name !== 'sign-in') {
    throw new CommandError(`"${name}" is not a command.${didYouMean(name, COMMANDS)} ${ADVICE}`)
  }
  if (operands.length > 0 || values.directory !== undefined) {
    throw new CommandError(`${name} takes nothing but variables of the environment. ${ADVICE}`)
  }
  return { name }
}

function readPlugin([plugin, ...more]: readonly string[], directory: string | undefined): Command {
  if (plugin === undefined) {
    throw new CommandError('The plugin has no name. Write one, for example: millrace plugin my-plugin')
  }
  if (more.length > 0) {
    throw new CommandError(`A plugin has one name, and "${more[0]}" is a second one. ${ADVICE}`)
  }
  return { name: 'plugin', plugin, directory }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        directory: { type: 'string' }
      }
    })
  } catch (error) {
    // Node's message goes on with advice about `--`, which no command here takes.
    throw new CommandError(`${messageOf(error).split('. ')[0]}. ${ADVICE}`)
  }
}
