#!/usr/bin/env node
import { readFileSync } from 'node:fs'
// The command `millrace` of the installed package. It runs on the Node that is there; see docs/decisions/039-package.md.
import * as module from 'node:module'
import { fileURLToPath } from 'node:url'
import { completionFor } from './complete.mjs'
import { endWithNpx } from './end-with-npx.mjs'
import { helpFor } from './help.mjs'
import { run } from './run-command.mjs'
import { serviceProcess } from './service-process.mjs'

const OLDEST = [22, 13]

giveHelp()
refuseOldNode()
const isChild = process.channel !== undefined
const flags = [
  ...serviceProcess.flags,
  // Before Node 24 SQLite says that it is new, at every start.
  '--disable-warning=ExperimentalWarning',
  // Stacks name the lines of src/, which is what can be looked up.
  '--enable-source-maps'
]
const isSetUp = flags.every((flag) => process.execArgv.includes(flag))
if (isSetUp) await execute()
else await becomeService()

/** What is compiled stays for the next start, where NODE_COMPILE_CACHE says or in the folder for temporary files. */
async function execute() {
  if (isChild) endWithLauncher()
  else endWithNpx()
  module.enableCompileCache()
  const { main } = await import('../dist/cli.js')
  // Node writes the cache at a clean exit; a service that is only ever killed would never have one.
  module.flushCompileCache()
  await main()
}

/** With the same process id where the system lets a process become another. */
async function becomeService() {
  const args = [...flags, fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const env = { ...process.env, ...serviceProcess.env }
  if (process.execve !== undefined && process.platform !== 'win32')
    process.execve(process.execPath, [process.execPath, ...args], env)
  endWithNpx()
  // The ipc channel carries no messages. It closes when we die, even by SIGKILL.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  process.exitCode = await run(process.execPath, args, { stdio, env })
}

/** A launcher that was killed cannot forward a signal; without this, the service would live on, unseen, and hold the port. */
function endWithLauncher() {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}

/** On any Node: whoever has an old one has to read which one is needed. */
function giveHelp() {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const args = process.argv.slice(2)
  const text = helpFor(args, version, process.stdout.columns) ?? completionFor(args)
  if (text === undefined) return
  process.stdout.write(text)
  process.exit(0)
}

function refuseOldNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return
  console.error(`Millrace needs Node ${OLDEST.join('.')} or newer, and this is ${process.versions.node}.`)
  console.error('Remedy: install a newer Node, then run the command again.')
  process.exit(1)
}
