import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../clock.test-kit.ts'
import { turnOfTheLoop } from '../engine/execution.test-kit.ts'
import type { OpenRun } from '../store/children.ts'
import { EndedWatch } from './dispatch/ended-watch.ts'
import { storedRun } from './record/stored-run.test-kit.ts'
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
    dispatcher: { cancel: ({ id }: OpenRun) => told.push(id) > 0 }
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
        get: async (id: string) => storedRun(2, { id }),
        end: async ({ id }: OpenRun) => {
          open = open.filter((run) => run.id !== id)
          return 9
        }
      },
      dispatcher: { cancel: () => false, ending: () => () => {} },
      news: { publish: ({ runId }: { runId: string }) => ends.push(runId) },
      planOf: () => Promise.reject(new Error('none')),
      ended: () => {}
    } as unknown as CancellationDeps
    await new RunCancellation(deps).cancelOrphaned({ seq: 1 })
    assert.deepEqual([ends.sort(), clock.timers], [['child', 'other'], 0])
  })
})
