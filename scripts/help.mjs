// What `millrace` can do, in words, made of what is declared.
import { findCommand, readDeclared, wordsOf } from './declared.mjs'

const NARROWEST = 60
const WIDEST = 110
const READ_ON =
  'docs/command-line.md tells more of what speaks to a service, docs/operator-guide.md has the variables, docs/extending.md tells what a plugin can do.'

/**
 * What to print where somebody asks for help or the version; undefined where the command is to be executed, or refused.
 * @param {readonly string[]} args
 * @param {string} version
 * @param {number | undefined} columns of the terminal
 * @returns {string | undefined}
 */
export function helpFor(args, version, columns = 100) {
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  const isAsked = own.includes('--help') || own.includes('-h')
  if (!isAsked && args[0] !== 'help')
    return own.includes('--version') || own.includes('-v') ? `${version}\n` : undefined
  const declared = readDeclared()
  const words = wordsOf(declared, args[0] === 'help' ? args.slice(1) : args)
  const width = Math.max(NARROWEST, Math.min(WIDEST, columns))
  if (words.length === 0) return overview(declared, width)
  const { name, group, standsFor } = findCommand(declared, words)
  if (name !== undefined && !standsFor) return ofCommand(declared, name, width)
  return group === undefined ? undefined : ofGroup(declared, group, width)
}

function overview(declared, width) {
  const version = ['  millrace --version', 'prints the version']
  const parts = declared.groups.map(({ title, commands }) => ({ title, rows: rowsOf(declared, commands) }))
  parts[parts.length - 1].rows.push(version)
  const lay = columns(
    parts.flatMap(({ rows }) => rows),
    width
  )
  const text = parts.map(({ title, rows }) => `${title}\n\n${lay(rows)}`)
  const end = wrapped(READ_ON, width, 0).join('\n')
  return `${['Millrace hosts flows and starts them by webhook.', ...text, end].join('\n\n')}\n`
}

function ofGroup(declared, group, width) {
  const names = Object.keys(declared.commands).filter((name) => `${name} `.startsWith(`${group} `))
  const rows = rowsOf(declared, names)
  const meant = declared.standsFor[group]
  const hint = meant === undefined ? '' : `\nmillrace ${group} alone is millrace ${meant}.\n`
  return `${columns(rows, width)(rows)}\n${hint}`
}

/** The first sentence of what each does; help for one command has them all. */
function rowsOf(declared, names) {
  return names.map((name) => [
    `  millrace ${usageOf(declared, name)}`,
    declared.commands[name].does.split('. ')[0]
  ])
}

function ofCommand(declared, name, width) {
  const { does, operands = {}, options = {}, remote = false, examples = [] } = declared.commands[name]
  const own = Object.keys(operands).map((each) => [`  <${each}>`, operands[each].does])
  const [optional, where] = [optionRows(options), remote ? optionRows(declared.remote) : []]
  const lay = columns([...own, ...optional, ...where], width)
  const parts = [
    `millrace ${usageOf(declared, name, true)}`,
    wrapped(does, width, 2).join('\n'),
    lay([...own, ...optional]),
    where.length === 0 ? '' : `Which service\n\n${lay(where)}`,
    examples.length === 0 ? '' : ['Examples', '', ...examples.map((example) => `  ${example}`)].join('\n')
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** How a command is written; `whole` names all of its options. */
export function usageOf(declared, name, whole = false) {
  const { operands = {}, options = {}, remote = false } = declared.commands[name]
  const parts = Object.keys(operands).map((each) => (operands[each].optional ? `[<${each}>]` : `<${each}>`))
  // What speaks to a service has many: help for one command tells them.
  const few =
    whole || !remote ? Object.keys(options).map((each) => `[${optionText(each, options[each])}]`) : []
  return [name, ...parts, ...few].join(' ')
}

function optionRows(options) {
  return Object.keys(options).map((each) => {
    const { short, does, choices } = options[each]
    const left = `  ${short === undefined ? '' : `-${short}, `}${optionText(each, options[each])}`
    return [left, choices === undefined ? does : `${does}: ${choices.join(', ')}`]
  })
}

function optionText(name, { takes }) {
  return takes === undefined ? `--${name}` : `--${name} <${takes}>`
}

/** Lays rows out in two columns that are as wide as these ask for; a left one that is too long has a line of its own. */
function columns(all, width) {
  const most = Math.floor(width * 0.38)
  const left = Math.max(0, ...all.map(([text]) => (text.length > most ? 0 : text.length))) + 2
  return (rows) =>
    rows
      .flatMap(([text, does]) => {
        const [first, ...more] = wrapped(does, width, left)
        return text.length > most ? [text, first, ...more] : [text.padEnd(left) + first.trimStart(), ...more]
      })
      .join('\n')
}

function wrapped(text, width, indent) {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1]
    if (line !== '' && indent + line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.map((line) => ' '.repeat(indent) + line)
}
