// Loaded into every test file's process. Node's runner waits for that process to end, and waits for ever:
// --test-timeout counts for the tests inside it only. A socket or timer that a test leaves open would hang the
// run without a word; here it fails the file and is named.
import { AsyncResource } from 'node:async_hooks'
import { isMainThread } from 'node:worker_threads'

// As long as a test may take, for the file's own `after` hooks together: some stop a database, on a busy machine.
const hooksEndWithin = 120_000
// From when they are over, until the process ends.
const grace = 15_000
// The pipes to the runner are always open.
const expected = new Set(['PipeWrap', 'TTYWrap'])

// Workers and forked processes of a test inherit this preload; they answer to their test, not to the runner.
const isTestFile = isMainThread && process.env.NODE_TEST_CONTEXT && process.argv[1]?.endsWith('.test.ts')

if (isTestFile) {
  const { after } = await import('node:test')
  const wholeFile = new AsyncResource('leak guard')
  after(() => {
    // Unreferenced: where nothing is left open, the process ends before this is due.
    const hooks = setTimeout(fail, hooksEndWithin).unref()
    // Hooks run in the order in which they are added, so one that is added now is the last. Added from within a hook it
    // would be a hook of that one.
    wholeFile.runInAsyncScope(() =>
      after(() => {
        clearTimeout(hooks)
        setTimeout(fail, grace).unref()
      })
    )
  })
}

function fail() {
  const open = process.getActiveResourcesInfo().filter((name) => !expected.has(name))
  console.error(`${process.argv[1]} does not end: a test left something open (${open.join(', ')})`)
  process.exit(1)
}
