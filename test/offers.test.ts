import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../src/clock.ts'
import { Dispatcher } from '../src/runs/dispatch/dispatcher.ts'
import { Persistence } from '../src/runs/execute/persistence.ts'
import { sampleChild } from '../src/store/contract/sample-children.test-kit.ts'
import { sampleOutcome, sampleRun } from '../src/store/contract/subject.test-kit.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { cleanUp } from './support/clean-up.ts'
import { eventually } from './support/eventually.ts'
import { temporaryFolder } from './support/stage.ts'

const FLOW = 'flow-b'
const PAIRS = 100

/** What fits in memory is 16 MB. */
const LONG = Buffer.from(JSON.stringify('x'.repeat(150_000)))

/**
 * A run that another one starts is told of after a webhook of the same commit that came later: more has to happen in between. Over HTTP
 * the same was seen with Run flow and direct webhooks to one flow, 13 of 800 times.
 */
test('webhooks and children of one commit are each executed once, also past what fits in memory', async (t) => {
  const store = await openSqliteStore({ folder: await temporaryFolder(t) })
  cleanUp(t, () => store.close())
  const clock = systemClock()
  const { persist } = new Persistence(clock)
  const executed: string[] = []
  const allAreSent = Promise.withResolvers<void>()
  const dispatcher = new Dispatcher({
    clock,
    store: store.runs,
    deaths: 0,
    pressure: () => 1,
    isCrowded: () => false,
    places: { computing: 2, underWay: 64 },
    limitOf: () => 64,
    onTakenUp: () => {},
    onError: (error) => assert.fail(String(error)),
    cancelUnbegun: () => assert.fail('nothing is cancelled'),
    execute: ({ run }, _isSuspect, listener) => {
      executed.push(run.id)
      void allAreSent.promise
        .then(() => store.runs.end(run, sampleOutcome()))
        .then(() => listener.done('ended'))
      return { cancel() {}, interrupt() {}, notify() {} }
    }
  })
  cleanUp(t, () => dispatcher.stop())
  const parent = await store.runs.accept(sampleRun())
  const startChild = async (index: number) => {
    const child = sampleChild(parent, { index, isAwaited: false }, { input: LONG })
    dispatcher.offer((await persist(() => store.runs.startDetached(parent, child)))!)
  }
  const accept = () =>
    store.runs.accept(sampleRun({ flowId: FLOW, input: LONG })).then((run) => dispatcher.offer(run))
  for (let index = 0; index < PAIRS; index += 5) {
    const pairs = Array.from({ length: 5 }, (_, each) => [startChild(index + each), accept()])
    await Promise.all(pairs.flat())
  }
  allAreSent.resolve()
  const left = async () => (await store.runs.backlog()).get(FLOW) ?? 0
  await eventually(() => executed.length >= 2 * PAIRS, true)
  await eventually(left, 0)
  assert.deepEqual([executed.length, new Set(executed).size], [2 * PAIRS, 2 * PAIRS])
})
