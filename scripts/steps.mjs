import { ensureInstalled, root } from './install.mjs'
import { compileCache } from './load.mjs'
import { asPart } from './part-times.mjs'
import { run } from './run-command.mjs'

const isForEyes = process.stdout.isTTY

const lint = {
  title: 'Lint and format',
  args: [
    'node_modules/@biomejs/biome/bin/biome',
    'check',
    '--error-on-warnings',
    ...(isForEyes ? ['--colors=force'] : [])
  ]
}

// Each in one thread: in several it takes half as much again of the processors, which its neighbours need. Garbage is
// not collected: there is hardly any (874 MB instead of 809), and to look for it was a fifth of the time.
const env = { GOGC: 'off' }
const tsc = ['node_modules/typescript/bin/tsc', '--singleThreaded', ...(isForEyes ? ['--pretty'] : [])]

/** What can be told without running anything. They need nothing of each other and run at the same time. */
export const checks = [
  lint,
  { title: 'Types', args: tsc, env },
  // The page and its tests have what a browser has; the service must not.
  { title: 'Types of the page', args: [...tsc, '-p', 'web'], env },
  { title: 'Types of the browser tests', args: [...tsc, '-p', 'test/browser'], env }
]

/**
 * Runs the steps in order on the pinned Node and ends this process with the code of the first that fails. A step may
 * have variables of its own, as `env`, and a `secondTry`: when it failed, the step that this gives is run and decides.
 */
export async function runSteps(steps) {
  const node = await ensureInstalled()
  for (const { title, args, env, secondTry } of steps) {
    console.log(`\n── ${title}`)
    const code = await runOn(node, args, { env })
    // Above 128 it was stopped by a signal, by somebody who does not want more of it.
    const again = code > 0 && code < 128 ? secondTry?.() : undefined
    if (again) await runSteps([again])
    else if (code !== 0) process.exit(code)
  }
}

/** Runs the steps at the same time and tells in order what they say; ends this process as the other one does. */
export async function runSideBySide(steps) {
  const node = await ensureInstalled()
  const running = steps.map(async ({ title, args, env }) => {
    const chunks = []
    const onOutput = (chunk) => chunks.push(chunk)
    const stdio = ['ignore', 'pipe', 'pipe']
    const code = await runOn(node, args, { env, stdio, onOutput }, asPart(title))
    return { title, code, output: Buffer.concat(chunks) }
  })
  for (const { title, code, output } of await Promise.all(running)) {
    console.log(`\n── ${title}`)
    process.stdout.write(output)
    if (code !== 0) process.exit(code)
  }
}

function runOn(node, args, { env, ...options }, start = run) {
  const allEnv = { ...process.env, NODE_COMPILE_CACHE: compileCache, ...env }
  return start(node, args, { cwd: root, env: allEnv, ...options })
}
