import { AsyncResource } from 'node:async_hooks'
import { after } from 'node:test'
import type { Lifetime } from './clean-up.ts'

const tasks: (() => unknown)[] = []
/** Of the process, where this module is loaded before the test files that share it; see run-together.ts. */
const wholeProcess = new AsyncResource('process')
// A hook that is added by a hook comes after those of the files.
after(() => wholeProcess.runInAsyncScope(() => after(endAll)))
const lifetime: Lifetime = { after: (task) => tasks.push(task) }

async function endAll(): Promise<void> {
  for (const task of tasks.toReversed()) await task()
}

let count = 0

/**
 * What takes long to start, and what no test can leave other than it was: started by the first test file that asks for
 * it, ended after the last.
 */
export function perProcess<Made>(make: (process: Lifetime) => Made): () => Made {
  let made: { readonly value: Made } | undefined
  return () => {
    if (made === undefined) count += 1
    made ??= { value: make(lifetime) }
    return made.value
  }
}

/** How many things outlive the files that asked for them. */
export function countPerProcess(): number {
  return count
}
