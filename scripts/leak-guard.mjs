// Loaded into every process of tests. Node's runner waits for that process to end, and waits for ever: --test-timeout
// counts for the tests inside it only. A socket or timer that a test leaves open would hang the run without a word;
// here it fails the process and is named.
import { AsyncResource } from 'node:async_hooks'
import { isMainThread } from 'node:worker_threads'

// As long as a test may take, for the last `after` hooks together: some stop a database, on a busy machine.
const hooksEndWithin = 120_000
// From when they are over, until the process ends.
const grace = 15_000
// The pipes to the runner are always open.
const expected = new Set(['PipeWrap', 'TTYWrap'])

// Workers and forked processes of a test inherit this preload; they answer to their test, not to the runner.
const isTestProcess =
  isMainThread && process.env.NODE_TEST_CONTEXT && /\.test\.(?:ts|mjs)$/.test(process.argv[1] ?? '')

if (isTestProcess) {
  const { after } = await import('node:test')
  const wholeProcess = new AsyncResource('leak guard')
  // Hooks run in the order in which they are added, so one that is added by a hook comes after all others. Added within
  // it, it would be a hook of that one.
  const afterAllOthers = (act) => wholeProcess.runInAsyncScope(() => after(act))
  after(() => {
    // Unreferenced: where nothing is left open, the process ends before this is due.
    const hooks = setTimeout(fail, hooksEndWithin).unref()
    const over = () => {
      clearTimeout(hooks)
      setTimeout(fail, grace).unref()
    }
    // What the files of a process share is ended after all others too; see test/support/per-process.ts.
    afterAllOthers(() => afterAllOthers(over))
  })
}

function fail() {
  console.error(`${process.argv[1]} does not end: a test left something open (${openResources().join(', ')})`)
  process.exit(1)
}

/** What keeps this process from ending, by kind. */
export function openResources() {
  return process.getActiveResourcesInfo().filter((name) => !expected.has(name))
}
