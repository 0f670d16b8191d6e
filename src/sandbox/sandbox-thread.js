/**
 * The thread in which people's code runs, one step at a time: see sandbox-pool.ts. Plain JavaScript, since what strips
 * types would take 8 MB of memory in this thread as well.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { VirtualMachine } from './virtual-machine.js'

/** Machines that wait for the next step of their kind. Each takes 3 MB. */
const MOST_MACHINES = 3
/** Codes with types that need not be read again. */
const MOST_STRIPPED = 100

/** With it a webhook is answered in half the time while all threads compute. */
const NICE = 5

const { resolve } = createRequire(import.meta.url)
const wasm = await WebAssembly.compile(readFileSync(resolve('quickjs-wasi/quickjs.wasm')))
/** By language and memory, as promises. The one that was used last is the last. */
const machines = new Map()
const stripped = new Map()

// Requests go first. Elsewhere than on Linux a thread has no priority of its own, and this would be the service's.
if (process.platform === 'linux') setPriority(0, NICE)
// That stripping types is experimental is for whoever writes this file to know.
process.removeAllListeners('warning')

parentPort.on('message', async (step) => {
  const machine = await machineFor(step)
  // It is only to be there when a step comes.
  if (step.source === undefined) return
  await machine.renew()
  const computed = machine.execute(step, stripped, (had) => parentPort.postMessage({ kind: 'begun', had }))
  parentPort.postMessage({ kind: 'done', computed })
  for (const old of stripped.keys()) if (stripped.size > MOST_STRIPPED) stripped.delete(old)
})

function machineFor({ language, memoryMb }) {
  const kind = `${language} ${memoryMb}`
  const machine = machines.get(kind) ?? create(language, memoryMb)
  machines.delete(kind)
  machines.set(kind, machine)
  for (const old of machines.keys()) if (machines.size > MOST_MACHINES) machines.delete(old)
  return machine
}

function create(language, memoryMb) {
  const library = language === 'jsonata' ? readFileSync(resolve('jsonata/jsonata.min.js'), 'utf8') : undefined
  return VirtualMachine.create({ wasm, memoryMb, library })
}
