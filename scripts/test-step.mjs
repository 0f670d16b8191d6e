import { existsSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { root } from './install.mjs'

const failedFiles = join(root, 'node_modules', '.millrace-failed-tests')
// More than these is no chance.
const chanceFailures = 3

/** The tests below the given folders, of the given files or of everything; options go to node's runner. */
export function tests(args) {
  const options = args.filter((arg) => arg.startsWith('-'))
  const places = args.filter((arg) => !arg.startsWith('-'))
  const chosen = (places.length ? places : ['src', 'test', 'web/src']).map(pattern)
  if (!process.env.CI) return { title: 'Tests', args: [...runner, ...options, ...chosen] }
  return {
    title: 'Tests',
    args: [...runner, ...tellFailedFiles, ...options, ...chosen],
    secondTry: () => secondTry(options)
  }
}

const runner = [
  '--test',
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  // A file waits for disks and pages for much of its time: as many files as cores leave some of them idle. Node's
  // own default is even one file less.
  `--test-concurrency=${availableParallelism() + 1}`,
  '--test-timeout=120000',
  // Not --test-force-exit: a test that leaves a socket or a timer open has to show.
  '--import=./scripts/leak-guard.mjs'
]

function pattern(place) {
  const isFolder = statSync(join(root, place), { throwIfNoEntry: false })?.isDirectory()
  return isFolder ? `${place.replace(/\/+$/, '')}/**/*.test.ts` : place
}

const tellFailedFiles = [
  '--test-reporter=./scripts/failed-files.mjs',
  `--test-reporter-destination=${failedFiles}`
]

// On a CI machine four thousand tests with browsers, databases and killed processes run beside work that is not ours,
// and a whole run was refused twice for one test that lost a race. Files that failed run once more there, by
// themselves, and that decides. What failed first stays in the output, and the headline names it: it may be a fault of
// the service that shows at an unlucky moment only (one of those two was). At a desk nothing runs twice.
function secondTry(options) {
  const names = readFailedFiles().map((file) => relative(root, file))
  if (names.length === 0 || names.length > chanceFailures) return undefined
  return {
    title: `Failed, so once more by themselves: ${names.join(', ')}`,
    args: [...runner, '--test-concurrency=1', ...options, ...names]
  }
}

function readFailedFiles() {
  return existsSync(failedFiles) ? readFileSync(failedFiles, 'utf8').split('\n').filter(Boolean) : []
}
