#!/usr/bin/env node
// Runs on the Node that happens to be there, as everything in scripts/ does; the command itself is in src/cli/.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { completionFor } from '../scripts/complete.mjs'
import { helpFor } from '../scripts/help.mjs'

giveHelp()
refuseCopies()
await execute()

/** Loaded only now: nobody who asks for help, or presses Tab, waits for it. */
async function execute() {
  const { endWithNpx } = await import('../scripts/end-with-npx.mjs')
  const { ensureInstalled } = await import('../scripts/install.mjs')
  const { runOnPinnedNode, serviceProcess } = await import('../scripts/run-on-pinned-node.mjs')
  const { warmCompileCache } = await import('../scripts/warm.mjs')
  await ensureInstalled({ tools: false })
  await warmCompileCache()
  endWithNpx()
  // Set up for the service whatever the command is: that is read only there.
  await runOnPinnedNode('src/cli/main.ts', process.argv.slice(2), serviceProcess)
}

/** Before anything is installed. */
function giveHelp() {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const args = process.argv.slice(2)
  const text = helpFor(args, version, process.stdout.columns) ?? completionFor(args)
  if (text === undefined) return
  process.stdout.write(text)
  process.exit(0)
}

// Node takes the types out of a file at the place where the file really is, and in node_modules it refuses to.
function refuseCopies() {
  const folder = fileURLToPath(new URL('..', import.meta.url))
  if (!/[\\/]node_modules[\\/]/.test(folder)) return
  console.error(`${folder} is a copy of Millrace, and Node runs no TypeScript inside node_modules.`)
  console.error('Remedy: install it as a link: npm install --install-links=false <the folder of Millrace>')
  process.exit(1)
}
