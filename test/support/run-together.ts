import assert from 'node:assert/strict'
import { AsyncResource } from 'node:async_hooks'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { openResources } from '../../scripts/leak-guard.mjs'
import { countPerProcess } from './per-process.ts'

/** From the end of a file's last hook until nothing of it may be open any more. */
const GRACE_MS = 15_000

export interface TestFile {
  /** From the root of the repository. */
  readonly name: string
  /** Absolute. */
  readonly path: string
}

/**
 * The test files of one process, each a suite of its own: its hooks run around its own tests only. All are loaded before
 * the first test runs, one after the other: where two were loaded at once, tests of one could become the other's.
 */
export function runTogether(files: readonly TestFile[], graceMs = GRACE_MS): void {
  let loaded: Promise<void> = Promise.resolve()
  for (const file of files) {
    describe(file.name, () => {
      // Node tells by the asynchronous scope whose a test or a hook is. A wait for another file would lose it.
      const suite = new AsyncResource('test file')
      loaded = loaded.then(() => load(file, suite, graceMs))
      return loaded
    })
  }
}

async function load({ name, path }: TestFile, suite: AsyncResource, graceMs: number): Promise<void> {
  let others: readonly string[] = []
  const inSuite = <Result>(act: () => Result): Result => suite.runInAsyncScope(act)
  inSuite(() =>
    before(() => {
      others = openResources()
    })
  )
  try {
    await inSuite(() => import(pathToFileURL(path).href))
  } catch (error) {
    const fail = () => {
      throw error
    }
    // As a test, because a suite that fails is not counted.
    inSuite(() => it('can be loaded', fail))
  }
  // Added last, so it runs after the hooks of the file itself.
  inSuite(() => after(() => assertNothingLeft(name, others, graceMs)))
}

async function assertNothingLeft(name: string, others: readonly string[], graceMs: number): Promise<void> {
  // What files share may open and close things at any time: then only the end of the process can tell.
  if (countPerProcess() > 0) return
  const until = performance.now() + graceMs
  let left = without(openResources(), others)
  while (left.length > 0 && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    left = without(openResources(), others)
  }
  assert.deepEqual(left, [], `a test of ${name} left something open`)
}

function without(all: readonly string[], others: readonly string[]): string[] {
  const rest = [...all]
  for (const other of others) {
    const at = rest.indexOf(other)
    if (at !== -1) rest.splice(at, 1)
  }
  return rest
}
