import { parseArgs } from 'node:util'
import { messageOf } from '../errors.ts'
import { didYouMean } from '../flows/closest-name.ts'

export type Command =
  | { readonly name: 'start' | 'worker' | 'sign-in' | 'rotate-secrets' }
  | { readonly name: 'plugin'; readonly plugin: string; readonly directory: string | undefined }
  | { readonly name: 'dev'; readonly file: string }
  | { readonly name: 'migrate-store'; readonly restart: boolean }
  | { readonly name: 'doctor'; readonly json: boolean }
  | { readonly name: 'backup'; readonly file: string }

/** Something that whoever typed the command can mend. Its message is all that is printed. */
export class CommandError extends Error {}

const ADVICE = 'millrace --help lists the commands.'

interface Typed {
  readonly operands: readonly string[]
  readonly directory?: string | undefined
  readonly restart?: boolean | undefined
  readonly json?: boolean | undefined
}

type OptionName = 'directory' | 'restart' | 'json'

interface Shape {
  readonly options: readonly OptionName[]
  readonly read: (typed: Typed) => Command
}

const withNothing = (name: 'start' | 'worker' | 'sign-in' | 'rotate-secrets'): Shape => ({
  options: [],
  read: ({ operands }) => {
    if (operands.length > 0) throw takesNothing(name)
    return { name }
  }
})

const COMMANDS: Readonly<Record<string, Shape>> = {
  start: withNothing('start'),
  worker: withNothing('worker'),
  'sign-in': withNothing('sign-in'),
  'rotate-secrets': withNothing('rotate-secrets'),
  plugin: { options: ['directory'], read: readPlugin },
  dev: { options: [], read: readDev },
  'migrate-store': {
    options: ['restart'],
    read: ({ operands, restart = false }) => {
      if (operands.length > 0) throw takesNothing('migrate-store')
      return { name: 'migrate-store', restart }
    }
  },
  doctor: {
    options: ['json'],
    read: ({ operands, json = false }) => {
      if (operands.length > 0) throw takesNothing('doctor')
      return { name: 'doctor', json }
    }
  },
  backup: { options: [], read: readBackup }
}

/** What somebody typed after `millrace`. */
export function readCommand(args: readonly string[]): Command {
  const { values, positionals } = parse(args)
  // Help for a command that there is was given already, by scripts/help.mjs, which needs nothing.
  const { help: _help, version: _version, ...options } = values
  const [name = 'start', ...operands] = positionals
  const shape = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (shape === undefined) {
    throw new CommandError(`"${name}" is not a command.${didYouMean(name, Object.keys(COMMANDS))} ${ADVICE}`)
  }
  const unfit = Object.keys(options).find((option) => !shape.options.includes(option as OptionName))
  if (unfit !== undefined) {
    throw shape.options.length === 0
      ? takesNothing(name)
      : new CommandError(`${name} does not know --${unfit}. ${ADVICE}`)
  }
  return shape.read({ operands, ...options })
}

function readPlugin({ operands: [plugin, ...more], directory }: Typed): Command {
  if (plugin === undefined) {
    throw new CommandError('The plugin has no name. Write one, for example: millrace plugin my-plugin')
  }
  if (more.length > 0) {
    throw new CommandError(`A plugin has one name, and "${more[0]}" is a second one. ${ADVICE}`)
  }
  return { name: 'plugin', plugin, directory }
}

function readDev({ operands: [file, ...more] }: Typed): Command {
  if (file === undefined) {
    throw new CommandError('Say which file is the plugin, for example: millrace dev ./index.js')
  }
  if (more.length > 0) {
    throw new CommandError(`dev takes one file, and "${more[0]}" is a second one. ${ADVICE}`)
  }
  return { name: 'dev', file }
}

function readBackup({ operands: [file, ...more] }: Typed): Command {
  if (file === undefined) {
    throw new CommandError('Say where to write the backup, for example: millrace backup millrace-backup.db')
  }
  if (more.length > 0)
    throw new CommandError(`A backup is one file, and "${more[0]}" is a second one. ${ADVICE}`)
  return { name: 'backup', file }
}

function takesNothing(name: string): CommandError {
  return new CommandError(`${name} takes no arguments; it is configured by environment variables. ${ADVICE}`)
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
        directory: { type: 'string' },
        restart: { type: 'boolean' },
        json: { type: 'boolean' }
      }
    })
  } catch (error) {
    // Node's message goes on with advice about `--`, which no command here takes.
    throw new CommandError(`${messageOf(error).split('. ')[0]}. ${ADVICE}`)
  }
}
