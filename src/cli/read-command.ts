import { parseArgs } from 'node:util'
import {
  type DeclaredCommand,
  type DeclaredOption,
  type FoundCommand,
  findCommand,
  optionsOf
} from '../../scripts/declared.mjs'
import { didYouMean } from '../flows/closest-name.ts'
import { type Command, declared } from './command.ts'
import { UsageError } from './command-error.ts'

type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

/** What somebody typed after `millrace`. Help for a command that there is was given already, by scripts/help.mjs. */
export function readCommand(args: readonly string[]): Command {
  const found = findCommand(declared, args)
  if (found.name === undefined) throw unknownCommand(found)
  const { name } = found
  const declaration = declared.commands[name]!
  const options = readOptions(name, args)
  const operands = readOperands(name, declaration, found.words)
  // What is declared is what Command is made of.
  return { name, operands, options } as unknown as Command
}

function unknownCommand({ group, words }: FoundCommand): UsageError {
  const [typed = ''] = words
  if (group === undefined) {
    const names = Object.keys(declared.commands).map((name) => name.split(' ')[0]!)
    return new UsageError(
      `"${typed}" is not a command.${didYouMean(typed, names)} millrace --help lists them.`
    )
  }
  const names = Object.keys(declared.commands).filter((name) => name.startsWith(`${group} `))
  const seconds = names.map((name) => name.slice(group.length + 1))
  const advice = `After ${group} comes ${listed(seconds)}. millrace ${group} --help tells more.`
  if (typed === '') return new UsageError(advice)
  return new UsageError(`"${group} ${typed}" is not a command.${didYouMean(typed, seconds)} ${advice}`)
}

function readOperands(name: string, { operands = {} }: DeclaredCommand, words: readonly string[]): Values {
  const names = Object.keys(operands)
  const missing = names.find((each, at) => words[at] === undefined && operands[each]!.optional !== true)
  if (missing !== undefined) {
    const examples = names.map((each) => operands[each]!.example).join(' ')
    throw new UsageError(
      `${name} needs ${names.map((each) => `<${each}>`).join(' ')}, for example: millrace ${name} ${examples}`
    )
  }
  const takesRest = names.some((each) => operands[each]!.rest === true)
  const [excess] = takesRest ? [] : words.slice(names.length)
  if (excess !== undefined) {
    const takes = names.length === 0 ? 'no arguments' : `only ${names.map((each) => `<${each}>`).join(' ')}`
    throw new UsageError(`${name} takes ${takes}, and there is "${excess}". ${adviceOn(name)}`)
  }
  for (const [at, each] of names.entries()) assertChosen(`<${each}>`, words[at], operands[each]!.choices)
  return Object.fromEntries(names.map((each, at) => [each, takesRest ? words.slice(at) : words[at]]))
}

function readOptions(name: string, args: readonly string[]): Values {
  const options = optionsOf(declared, name)
  const given = parse(name, options, args)
  const values = Object.entries(options).map(([option, { takes, multiple, choices }]) => {
    const value = given[option]
    assertChosen(`--${option}`, value, choices)
    return [option, value ?? (multiple === true ? [] : takes === undefined ? false : undefined)]
  })
  return Object.fromEntries(values)
}

function assertChosen(what: string, value: Values[string], choices: readonly string[] | undefined): void {
  if (choices === undefined) return
  const given = [value ?? []].flat()
  const wrong = given.find((each) => typeof each === 'string' && !choices.includes(each))
  if (wrong === undefined) return
  throw new UsageError(
    `${what} cannot be "${wrong}".${didYouMean(String(wrong), choices)} It is one of: ${choices.join(', ')}.`
  )
}

function parse(
  name: string,
  options: Readonly<Record<string, DeclaredOption>>,
  args: readonly string[]
): Values {
  const config = Object.entries(options).map(([option, { takes, short, multiple }]) => [
    option,
    {
      type: takes === undefined ? 'boolean' : 'string',
      ...(short === undefined ? {} : { short }),
      ...(multiple === true ? { multiple } : {})
    }
  ])
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: Object.fromEntries(config) })
      .values as Values
  } catch (error) {
    throw new UsageError(
      `${reasonOf(error as NodeJS.ErrnoException, name, Object.keys(options))} ${adviceOn(name)}`
    )
  }
}

/** Node's own words go on with advice about `--`, which hardly anybody needs here. */
function reasonOf({ code, message }: NodeJS.ErrnoException, name: string, known: readonly string[]): string {
  const option = /'(--?[^']+?)(?: <value>)?'/.exec(message)?.[1] ?? ''
  if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `${message.split('. ')[0]!.split('\n')[0]}.`
  const meant = didYouMean(
    option,
    known.map((each) => `--${each}`)
  )
  return `${name} does not know ${option}.${meant}`
}

function adviceOn(name: string): string {
  return `millrace ${name} --help tells how it is written.`
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
