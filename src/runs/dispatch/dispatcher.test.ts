import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../../clock.test-kit.ts'
import type { ExecutionListener } from '../execute/executing-run.ts'
import { acceptedRun, storedRun } from '../record/stored-run.test-kit.ts'
import { emptyStore, settle, setUp } from './dispatcher.test-kit.ts'
import type { DispatcherDeps } from './dispatcher.ts'

/** Parked runs of some flows, all of them due. Says how many of each were taken up. */
function dueStore(flows: Readonly<Record<string, number>>, input = '{}') {
  const left = new Map(Object.entries(flows))
  const taken = new Map<string, number>()
  const store: DispatcherDeps['store'] = {
    ...emptyStore,
    flowsDue: async () => [...left.keys()],
    takeDue: async (flowId, _now, { runs: most, bytes }) => {
      const here = left.get(flowId) ?? 0
      const runs = Math.min(here, most, Math.max(1, Math.floor(bytes / input.length)))
      left.set(flowId, here - runs)
      const first = taken.get(flowId) ?? 0
      taken.set(flowId, first + runs)
      const numbers = Array.from({ length: runs }, (_, index) => first + index + 1)
      return {
        runs: numbers.map((seq) => storedRun(seq, { id: `${flowId}-${seq}`, flowId, input })),
        isLast: here === runs
      }
    }
  }
  return { store, taken }
}

describe('runs that are due together', () => {
  const idle = { cancel: () => {}, interrupt: () => {}, notify: () => {} }

  it('are taken up as there is room, flow by flow, and the rest waits in the store', async () => {
    const clock = manualClock()
    const { store, taken } = dueStore({ slow: 20_000, quick: 20_000 })
    const ended: Record<string, number> = { slow: 0, quick: 0 }
    let counted = 0
    const dispatcher = setUp(clock, {
      store,
      places: { computing: 8, underWay: 100 },
      limitOf: () => 4,
      onTakenUp: () => counted++,
      execute: ({ run: { flowId } }, _, listener) => {
        if (flowId === 'quick') {
          ended.quick!++
          clock.soon(() => listener.done('ended'))
        }
        return idle
      }
    })
    await dispatcher.start()
    await settle(clock)
    assert.ok(ended.quick! > 500, `the quick flow is not held back: ${ended.quick}`)
    assert.ok(taken.get('slow')! <= 100, `the slow flow has ${taken.get('slow')} in memory`)
    assert.ok(taken.get('quick')! - ended.quick! <= 100)
    assert.equal(counted, taken.get('slow')! + taken.get('quick')!)
    void dispatcher.stop()
  })

  it('are taken up by what they take in memory', async () => {
    const clock = manualClock()
    const { store, taken } = dueStore({ slow: 20_000 }, 'x'.repeat(100_000))
    const dispatcher = setUp(clock, { store, execute: () => idle })
    await dispatcher.start()
    await settle(clock)
    assert.ok(taken.get('slow')! <= 32, `${taken.get('slow')} of 100 kB each are in memory`)
    void dispatcher.stop()
  })

  it('are looked for again where somebody tells of one while they are being taken up', async () => {
    const clock = manualClock()
    const answers: (() => void)[] = []
    const dispatcher = setUp(clock, {
      store: {
        ...emptyStore,
        takeDue: () => new Promise((resolve) => answers.push(() => resolve({ runs: [], isLast: true })))
      }
    })
    dispatcher.mayHaveDue(['flow-1'])
    await settle(clock)
    dispatcher.mayHaveDue(['flow-1'])
    answers.shift()!()
    await settle(clock)
    assert.equal(answers.length, 1)
    answers.shift()!()
    await settle(clock)
    assert.equal(answers.length, 0)
    await dispatcher.stop()
  })

  it('of a run that is due as soon as it is parked, the flow is looked at at once', async () => {
    const clock = manualClock()
    const asked: string[] = []
    const dispatcher = setUp(clock, {
      store: {
        ...emptyStore,
        takeDue: async (flowId) => {
          asked.push(flowId)
          return { runs: [], isLast: true }
        }
      },
      execute: (_waiting, _isSuspect, listener) => {
        listener.done({ dueAt: clock.now(), mayBeDue: false })
        return idle
      }
    })
    dispatcher.offer(acceptedRun(1))
    await settle(clock)
    assert.deepEqual(asked, ['flow-1'])
    await dispatcher.stop()
  })
})

describe('runs that wait for others', () => {
  const idle = { cancel: () => {}, interrupt: () => {}, notify: () => {} }

  function waitingRuns(places: DispatcherDeps['places']) {
    const clock = manualClock()
    const begun: { readonly id: string; readonly listener: ExecutionListener }[] = []
    const dispatcher = setUp(clock, {
      store: emptyStore,
      places,
      limitOf: () => Number.POSITIVE_INFINITY,
      execute: ({ run }, _isSuspect, listener) => {
        begun.push({ id: run.id, listener })
        return idle
      }
    })
    for (const seq of [1, 2, 3, 4, 5]) dispatcher.offer(acceptedRun(seq))
    clock.turn()
    return { clock, begun, dispatcher }
  }

  it('leave their place to the next one', () => {
    const { clock, begun } = waitingRuns({ computing: 1, underWay: 100 })
    assert.equal(begun.length, 1)
    begun[0]!.listener.awaits(true)
    clock.turn()
    assert.equal(begun.length, 2)
    begun[0]!.listener.awaits(false)
    begun[0]!.listener.done('ended')
    clock.turn()
    assert.equal(begun.length, 2, 'the second one computes')
    begun[1]!.listener.done('ended')
    clock.turn()
    assert.equal(begun.length, 3)
  })

  it('are bounded all the same, and one flow does not get all places', () => {
    const { clock, begun } = waitingRuns({ computing: 5, underWay: 4 })
    for (const { listener } of begun) listener.awaits(true)
    clock.turn()
    assert.equal(begun.length, 3)
  })
})

describe('runs that hold much in memory', () => {
  const LARGE = `[${'{},'.repeat(1_000)}1]`

  it('begin as others end, and leave room for those of other flows', async () => {
    const clock = manualClock()
    const begun: string[] = []
    const listeners: ExecutionListener[] = []
    const dispatcher = setUp(clock, {
      store: emptyStore,
      // About four of the large ones.
      places: { computing: 100, underWay: 100, memory: 4 * 102_000 },
      limitOf: () => Number.POSITIVE_INFINITY,
      execute: ({ run }, _isSuspect, listener) => {
        begun.push(run.id)
        listeners.push(listener)
        listener.awaits(true)
        return { cancel: () => {}, interrupt: () => {}, notify: () => {} }
      }
    })
    for (const seq of [1, 2, 3, 4, 5, 6]) dispatcher.offer(acceptedRun(seq, { input: LARGE }))
    await settle(clock)
    assert.deepEqual(begun.splice(0), ['run-1', 'run-2', 'run-3'])
    for (const seq of [7, 8, 9]) dispatcher.offer(acceptedRun(seq, { flowId: 'flow-2', input: LARGE }))
    await settle(clock)
    assert.deepEqual(begun.splice(0), ['run-7'], 'all is held now')
    for (let ended = 1; ended <= 9; ended++) {
      const listener = listeners.shift()!
      listener.awaits(false)
      listener.done('ended')
      await settle(clock)
    }
    assert.deepEqual(begun.sort(), ['run-4', 'run-5', 'run-6', 'run-8', 'run-9'])
    await dispatcher.stop()
  })

  it('begin however large they are, one at a time', async () => {
    const clock = manualClock()
    const begun: (() => void)[] = []
    const dispatcher = setUp(clock, {
      store: emptyStore,
      places: { computing: 100, underWay: 100, memory: 1 },
      limitOf: () => Number.POSITIVE_INFINITY,
      execute: (_run, _isSuspect, listener) => {
        begun.push(() => listener.done('ended'))
        return { cancel: () => {}, interrupt: () => {}, notify: () => {} }
      }
    })
    for (const seq of [1, 2]) dispatcher.offer(acceptedRun(seq, { input: LARGE }))
    await settle(clock)
    assert.equal(begun.length, 1)
    begun[0]!()
    await settle(clock)
    assert.equal(begun.length, 2)
    begun[1]!()
    await dispatcher.stop()
  })
})
