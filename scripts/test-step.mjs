import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './install.mjs'
import { testFolder } from './test-folder.mjs'
import { planProcesses, processesAtOnce, testProcessFlags } from './test-processes.mjs'
import { testService } from './test-service.mjs'

const failedFiles = join(root, 'node_modules', '.millrace-failed-tests')
const entryFolder = '.test-processes'
// More than these is no chance.
const chanceFailures = 3

/** The tests below the given folders, of the given files or of everything; options go to node's runner. */
export function tests(args) {
  const options = args.filter((arg) => arg.startsWith('-'))
  const places = args.filter((arg) => !arg.startsWith('-'))
  const chosen = (places.length ? places : ['src', 'test', 'web/src']).flatMap(filesAt)
  // A pattern is meant for the names of tests, and a file's name would be one of them.
  const shared = options.some((option) => /^--(?:watch|test-(?:only|.*-pattern))/.test(option))
    ? chosen
    : entries(chosen)
  const env = { ...testFolder(), ...testService }
  if (!process.env.CI) return { title: 'Tests', env, args: [...runner, ...options, ...shared] }
  return {
    title: 'Tests',
    env,
    args: [...runner, ...tellFailedFiles, ...options, ...shared],
    secondTry: () => secondTry(options, env)
  }
}

const runner = [
  ...testProcessFlags,
  '--test',
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  // Node's own default, one less than the cores, leaves them idle while tests wait.
  `--test-concurrency=${processesAtOnce(availableParallelism())}`,
  '--test-timeout=120000',
  // Not --test-force-exit: a test that leaves a socket or a timer open has to show.
  '--import=./scripts/leak-guard.mjs',
  '--import=./scripts/test-process-time.mjs'
]

/** What is no folder, such as a pattern, is for node to find. */
function filesAt(place) {
  if (!statSync(join(root, place), { throwIfNoEntry: false })?.isDirectory()) return [place]
  return readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => join(place, path).split(sep).join('/'))
    .sort()
}

/** What node's runner is given: a file for each process, which loads the test files that share it. */
function entries(chosen) {
  const found = chosen.filter((path) => existsSync(join(root, path)))
  const files = found.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  const processes = planProcesses(files, availableParallelism())
  rmSync(join(root, entryFolder), { recursive: true, force: true })
  mkdirSync(join(root, entryFolder), { recursive: true })
  // Node starts them in the order of their names.
  const begun = processes.map(({ name, paths }, index) =>
    writeEntry(`${String(index + 1).padStart(2, '0')}-${name.replaceAll('/', '-')}`, paths)
  )
  return [...begun, ...chosen.filter((path) => !found.includes(path))]
}

function writeEntry(name, paths) {
  const file = join(entryFolder, `${name.replace(/\.test\.ts$/, '')}.test.mjs`)
  if (paths.length === 1) {
    writeFileSync(join(root, file), `await import('${pathToFileURL(join(root, paths[0])).href}')\n`)
    return file
  }
  const files = paths.map((path) => ({ name: path, path: join(root, path) }))
  const module = pathToFileURL(join(root, 'test', 'support', 'run-together.ts')).href
  writeFileSync(
    join(root, file),
    `import { runTogether } from '${module}'\n\nrunTogether(${JSON.stringify(files, undefined, 2)})\n`
  )
  return file
}

const tellFailedFiles = [
  '--test-reporter=./scripts/failed-files.mjs',
  `--test-reporter-destination=${failedFiles}`
]

// On a CI machine four thousand tests with browsers, databases and killed processes run beside work that is not ours,
// and a whole run was refused twice for one test that lost a race. Files that failed run once more there, by
// themselves, and that decides. What failed first stays in the output, and the headline names it: it may be a fault of
// the service that shows at an unlucky moment only (one of those two was). At a desk nothing runs twice.
function secondTry(options, env) {
  const names = readFailedFiles().map((file) => relative(root, file))
  if (names.length === 0 || names.length > chanceFailures) return undefined
  return {
    title: `Failed, so once more by themselves: ${names.join(', ')}`,
    env,
    args: [...runner, '--test-concurrency=1', ...options, ...names]
  }
}

function readFailedFiles() {
  return existsSync(failedFiles) ? readFileSync(failedFiles, 'utf8').split('\n').filter(Boolean) : []
}
