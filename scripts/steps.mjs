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

/**
 * Runs the steps in order on the pinned Node and ends this process with the code of the first that fails. A step may
 * have variables of its own, as `env`, and a `secondTry`: when it failed, the step that this gives is run and decides.
 */
export async function runSteps(steps) {
  const node = await ensureInstalled()
  const env = { ...process.env, NODE_COMPILE_CACHE: compileCache }
  for (const { title, args, env: own, secondTry } of steps) {
    console.log(`\n── ${title}`)
    const code = await run(node, args, { cwd: root, env: { ...env, ...own } })
    // Above 128 it was stopped by a signal, by somebody who does not want more of it.
    const again = code > 0 && code < 128 ? secondTry?.() : undefined
    if (again) await runSteps([again])
    else if (code !== 0) process.exit(code)
  }
}
