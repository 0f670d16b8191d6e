// What `millrace` can do, in words. Plain JavaScript of the oldest kind, read before anything is installed and before the Node
// is looked at: whoever asks for help may have neither.
const COMMANDS = {
  start: {
    usage: 'start',
    short: 'millrace, millrace start',
    does: ['starts the service; variables such as PORT set it up']
  },
  worker: {
    usage: 'worker',
    does: ['starts a process that only runs flows: MILLRACE_ROLE=worker, with DATABASE_URL']
  },
  'sign-in': {
    usage: 'sign-in',
    does: ['prints a link that signs you in to the page once; takes the same variables']
  },
  plugin: {
    usage: 'plugin <name>',
    does: ['writes a plugin with one component and its tests'],
    options: { '--directory <folder>': 'the folder to write; named after the plugin if left out' }
  },
  dev: {
    usage: 'dev <file>',
    does: ['starts the service with the plugin in a file, and again whenever a source changes']
  },
  doctor: {
    usage: 'doctor',
    does: ['looks at configuration and store, says what is wrong and what to do about it'],
    options: { '--json': 'the same for machines' }
  },
  backup: {
    usage: 'backup <file>',
    does: ['copies the embedded store into a file while the service runs']
  },
  'rotate-secrets': {
    usage: 'rotate-secrets',
    does: ['seals the secrets of all connections with a new key while the service runs']
  },
  'migrate-store': {
    usage: 'migrate-store',
    does: [
      'copies the embedded store in MILLRACE_HOME to the empty PostgreSQL at DATABASE_URL;',
      'stop the service first; run it again to go on after a stop'
    ],
    options: { '--restart': 'throws an unfinished copy away and starts over' }
  },
  help: { usage: 'help [command]', does: ['prints this, or what one command does; so does --help'] }
}

const WIDTH = 32
const READ_ON = 'docs/operator-guide.md has the variables, docs/extending.md tells what a plugin can do.'

/**
 * What to print where somebody asks for help or the version; undefined where the command is to be executed, or refused.
 * @param {readonly string[]} args
 * @param {string} version
 * @returns {string | undefined}
 */
export function helpFor(args, version) {
  const words = args.filter((word) => !word.startsWith('-'))
  if (words[0] === 'help' || args.includes('--help') || args.includes('-h')) {
    const [name] = words[0] === 'help' ? words.slice(1) : words
    if (name === undefined) return all()
    return Object.hasOwn(COMMANDS, name) ? one(name) : undefined
  }
  if (args.includes('--version') || args.includes('-v')) return `${version}\n`
  return undefined
}

function all() {
  const lines = []
  for (const name of Object.keys(COMMANDS)) {
    const { usage, short = `millrace ${usage}`, does, options = {} } = COMMANDS[name]
    lines.push(...columns(`  ${short}`, does))
    for (const option of Object.keys(options)) lines.push(...columns(`    ${option}`, [options[option]]))
  }
  lines.push(...columns('  millrace --version', ['prints the version']))
  return `Millrace hosts flows and starts them by webhook.\n\n${lines.join('\n')}\n\n${READ_ON}\n`
}

function one(name) {
  const { usage, does, options = {} } = COMMANDS[name]
  const lines = [`millrace ${usage}`, '', ...does.map((line) => `  ${line}`)]
  for (const option of Object.keys(options)) lines.push('', ...columns(`  ${option}`, [options[option]]))
  return `${lines.join('\n')}\n\n${READ_ON}\n`
}

function columns(left, [first, ...more]) {
  return [`${left.padEnd(WIDTH)}  ${first}`, ...more.map((line) => ' '.repeat(WIDTH + 2) + line)]
}
