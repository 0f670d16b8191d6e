import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled, root } from './install.mjs'
import { compileCache } from './load.mjs'
import { run } from './run-command.mjs'

export const lint = {
  title: 'Lint and format',
  args: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings']
}
const tsc = 'node_modules/typescript/bin/tsc'
export const types = { title: 'Types', args: [tsc] }
// The page and its tests have what a browser has; the service must not.
export const pageTypes = { title: 'Types of the page', args: [tsc, '-p', 'web'] }
export const browserTestTypes = { title: 'Types of the browser tests', args: [tsc, '-p', 'test/browser'] }

/** The tests below the given folders, of the given files or of everything; options go to node's runner. */
export function tests(args) {
  const options = args.filter((arg) => arg.startsWith('-'))
  const places = args.filter((arg) => !arg.startsWith('-'))
  return {
    title: 'Tests',
    args: [...runner, ...options, ...(places.length ? places : ['src', 'test', 'web/src']).map(pattern)]
  }
}

const runner = [
  '--test',
  '--test-reporter=spec',
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

/** Runs the steps in order on the pinned Node and ends this process with the code of the first that fails. */
export async function runSteps(steps) {
  const node = await ensureInstalled()
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache }
  for (const { title, args } of steps) {
    console.log(`\n── ${title}`)
    const code = await run(node, args, { cwd: root, env })
    if (code !== 0) process.exit(code)
  }
}
