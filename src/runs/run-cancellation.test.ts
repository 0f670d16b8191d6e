import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { manualClock } from '../clock.test-kit.ts'
import { turnOfTheLoop } from '../engine/execution.test-kit.ts'
import type { OpenRun } from '../store/children.ts'
import { sampleOutcome, sampleRun } from '../store/contract/subject.test-kit.ts'
import { openFor } from '../store/sqlite/sqlite-subject.test-kit.ts'
import { EndedWatch } from './dispatch/ended-watch.ts'
import { stepRecord, storedRun } from './record/stored-run.test-kit.ts'
import { type CancellationDeps, RunCancellation } from './run-cancellation.ts'

const CHILD: OpenRun = { seq: 2, id: 'child', flowId: 'flow-1' }

/** A run with a child that is told to stop. */
function parentOfOne() {
  const clock = manualClock()
  const watch = new EndedWatch(clock)
  const told: string[] = []
  const looks: number[] = []
  let open: readonly OpenRun[] = [CHILD]
  const deps = {
    clock,
    watch,
    store: {
      orphanedBelow: async () => {
        looks.push(clock.now())
        return open
      }
    },
    dispatcher: {
      stopOrphaned: (runs: readonly OpenRun[]) => {
        told.push(...runs.map(({ id }) => id))
        return []
      }
    }
  } as unknown as CancellationDeps
  const end = (isTold = true) => {
    open = []
    if (isTold) watch.ended(CHILD.id, 'cancelled')
  }
  return { cancellation: new RunCancellation(deps), clock, told, looks, end }
}

describe('what a run had started that is to be retried', () => {
  it('is told to stop, once, and waited for without a look at the store', async () => {
    const { cancellation, clock, told, looks, end } = parentOfOne()
    let hasStopped = false
    const waiting = cancellation.stopBelow({ seq: 1, id: 'parent' }).then(() => {
      hasStopped = true
    })
    await turnOfTheLoop()
    const atFirst = looks.length
    clock.advance(9_000)
    await turnOfTheLoop()
    assert.deepEqual([hasStopped, looks.length, clock.timers], [false, atFirst, 1])
    end()
    await waiting
    assert.deepEqual([told, clock.timers], [['child'], 0])
  })

  it('is not waited for where it ended before anybody watched', async () => {
    const { cancellation, clock, end } = parentOfOne()
    const waiting = cancellation.stopBelow({ seq: 1, id: 'parent' })
    end(false)
    await waiting
    assert.equal(clock.timers, 0)
  })

  it('is not waited for without end', async () => {
    const { cancellation, clock } = parentOfOne()
    const refused = assert.rejects(cancellation.stopBelow({ seq: 1, id: 'parent' }), {
      code: 'run_not_retryable'
    })
    await turnOfTheLoop()
    clock.advance(12_000)
    await refused
  })
})

describe('what a cancelled run had started', () => {
  it('is ended at once where nobody has it, and waits for no place', async () => {
    const clock = manualClock()
    const ends: string[] = []
    let open: readonly OpenRun[] = [CHILD, { ...CHILD, seq: 3, id: 'other' }]
    const deps = {
      clock,
      watch: new EndedWatch(clock),
      store: {
        orphanedBelow: async () => open,
        isOrphaned: async () => true,
        readToEnd: async (id: string) => ({
          ...storedRun(2, { id }),
          state: 'queued' as const,
          lastEntry: 0
        }),
        endAsRead: async ({ id }: OpenRun) => {
          open = open.filter((run) => run.id !== id)
          return 9
        }
      },
      dispatcher: { stopOrphaned: (runs: readonly OpenRun[]) => runs, ending: () => () => {} },
      news: { publish: ({ runId }: { runId: string }) => ends.push(runId) },
      planOf: () => Promise.reject(new Error('none')),
      ended: () => {}
    } as unknown as CancellationDeps
    await new RunCancellation(deps).cancelOrphaned({ seq: 1 })
    assert.deepEqual([ends.sort(), clock.timers], [['child', 'other'], 0])
  })
})

/** A run that is executed by somebody who does not stop. */
async function goingOn(t: TestContext) {
  const { store } = await openFor(t)
  const clock = manualClock()
  const told = Promise.withResolvers<void>()
  const { runs } = store
  const run = await runs.accept(sampleRun())
  const deps = {
    clock,
    store: { ...runs, orphanedBelow: async () => [] },
    watch: new EndedWatch(clock),
    dispatcher: {
      cancel: () => {
        told.resolve()
        return true
      },
      stopOrphaned: () => [],
      ending: () => () => {}
    },
    news: { publish: () => {} },
    planOf: () => Promise.reject(new Error('a component has gone')),
    onUsage: () => {},
    ended: () => {},
    onError: (error: unknown) => assert.fail(String(error))
  } as unknown as CancellationDeps
  const settle = (node: string) =>
    runs.checkpoint(run, JSON.stringify({ at: 1, startedAt: 1, settled: [stepRecord(node)] }))
  const cancelling = new RunCancellation(deps).cancel((await runs.get(run.id))!)
  await told.promise
  return { runs, run, clock, settle, cancelling }
}

describe('a run whose steps do not stop when it is cancelled', () => {
  it('is ended without them, with all that it did until then', async (t) => {
    const { runs, run, clock, settle, cancelling } = await goingOn(t)
    await settle('pay')
    clock.advance(10_000)
    await cancelling
    const { outcome } = (await runs.get(run.id))!
    assert.equal(outcome?.status, 'cancelled')
    assert.match(outcome.steps, /"pay"/, 'a retry would do it again')
  })

  it('has ended already where it succeeded meanwhile', async (t) => {
    const { runs, run, clock, cancelling } = await goingOn(t)
    const refused = assert.rejects(cancelling, { code: 'run_already_ended' })
    await runs.end(run, sampleOutcome())
    clock.advance(10_000)
    await refused
    assert.equal((await runs.get(run.id))?.outcome?.status, 'succeeded')
  })
})
