import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { type ManualClock, manualClock } from '../../clock.test-kit.ts'
import type { Executed, ExecutionListener } from '../execute/executing-run.ts'
import { acceptedRun, storedRun } from '../record/stored-run.test-kit.ts'
import { Dispatcher, type DispatcherDeps } from './dispatcher.ts'

function setUp(
  clock: ManualClock,
  deps: Partial<DispatcherDeps> & Pick<DispatcherDeps, 'store'>
): Dispatcher {
  return new Dispatcher({
    clock,
    deaths: 0,
    isCrowded: () => false,
    places: { computing: 1, underWay: 100 },
    execute: () => assert.fail('nothing is to be executed'),
    cancelUnbegun: () => assert.fail('nothing is to be cancelled'),
    limitOf: () => 1,
    pressure: () => 0,
    onTakenUp: () => {},
    onError: (error) => assert.fail(String(error)),
    ...deps
  })
}

const emptyStore: DispatcherDeps['store'] = {
  queued: async () => ({ runs: [], isLast: true }),
  flowsDue: async () => [],
  nextDue: async () => null,
  backlog: async () => new Map(),
  lastChange: async () => 0,
  hungSteps: async () => [],
  takeDue: async () => ({ runs: [], isLast: true })
}

test('who executes a run learns whether another life of it began, and not only that somebody asked for one', () => {
  const clock = manualClock()
  const heard: string[] = []
  const dispatcher = setUp(clock, {
    store: emptyStore,
    execute: () => ({ cancel: () => {}, interrupt: () => {}, notify: (news) => heard.push(news) })
  })
  dispatcher.offer(acceptedRun(1))
  clock.turn()
  dispatcher.reopening(storedRun(1))
  dispatcher.notReopened(storedRun(1))
  assert.deepEqual(heard, ['reopening', 'not reopened'])
  dispatcher.reopening(storedRun(1))
  dispatcher.resume(acceptedRun(1), [])
  assert.deepEqual(heard.slice(2), ['reopening', 'ended'])
})

test('a run that is cancelled while it waits for its turn is ended, and not executed', async () => {
  const clock = manualClock()
  const log: string[] = []
  const ends: ((how: Executed) => void)[] = []
  const dispatcher = setUp(clock, {
    store: emptyStore,
    execute: ({ run }, _, listener) => {
      log.push(`execute ${run.id}`)
      ends.push((how) => listener.done(how))
      return { cancel: () => log.push(`cancel ${run.id}`), interrupt: () => {}, notify: () => {} }
    },
    cancelUnbegun: ({ run }, listener) => {
      log.push(`end ${run.id}`)
      ends.push((how) => listener.done(how))
      return { cancel: () => {}, interrupt: () => {}, notify: () => {} }
    }
  })
  for (const seq of [1, 2, 3]) dispatcher.offer(acceptedRun(seq))
  clock.turn()
  assert.equal(dispatcher.cancel(storedRun(1)), true)
  assert.equal(dispatcher.cancel(storedRun(2)), true)
  assert.equal(dispatcher.cancel(storedRun(9)), false)
  assert.deepEqual(log, ['execute run-1', 'cancel run-1', 'end run-2'])
  for (const end of ends.splice(0)) end('ended')
  clock.turn()
  assert.deepEqual(log.slice(3), ['execute run-3'])
  // Ended by somebody who did not know that it had been taken up.
  dispatcher.ending(storedRun(3))()
  assert.deepEqual(log.slice(4), ['cancel run-3'])
  for (const end of ends) end('lost')
  await dispatcher.stop()
})

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

/** Lets the dispatcher do all that it can without any run coming to its end. */
async function settle(clock: ManualClock): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    clock.turn()
    await turnOfTheLoop()
  }
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

describe('a flow that is paused', () => {
  /** What waits in the store, as it may be changed by the test; reads are answered when it says so. */
  function heldAnswers() {
    const waiting = new Set<number>()
    const answers: (() => void)[] = []
    const store: DispatcherDeps['store'] = {
      ...emptyStore,
      queued: async (_flowId, after) => {
        const runs = [...waiting].filter((seq) => seq > after).map((seq) => storedRun(seq))
        await new Promise<void>((resolve) => answers.push(resolve))
        return { runs, isLast: true }
      },
      lastChange: async () => 100
    }
    return { waiting, answers, store }
  }

  it('begins nothing that was in memory or on its way there, and each run once when it is resumed', async () => {
    const clock = manualClock()
    const { waiting, answers, store } = heldAnswers()
    const log: number[] = []
    const ends: (() => void)[] = []
    const dispatcher = setUp(clock, {
      store,
      places: { computing: 2, underWay: 100 },
      execute: ({ run }, _, listener) => {
        log.push(run.seq)
        ends.push(() => {
          waiting.delete(run.seq)
          listener.done('ended')
        })
        return { cancel: () => {}, interrupt: () => {}, notify: () => {} }
      }
    })
    for (const seq of [1, 2, 3]) {
      waiting.add(seq)
      dispatcher.offer(acceptedRun(seq))
    }
    await settle(clock)
    assert.deepEqual(log, [1])
    dispatcher.pauseChanged('flow-1', true)
    dispatcher.pauseChanged('flow-1', false)
    await settle(clock)
    // What was asked for before it was paused a second time must not come in.
    assert.equal(answers.length, 1)
    dispatcher.pauseChanged('flow-1', true)
    for (const answer of answers.splice(0)) answer()
    ends.shift()!()
    await settle(clock)
    assert.deepEqual(log, [1])
    dispatcher.pauseChanged('flow-1', false)
    for (let turn = 0; turn < 5; turn++) {
      await settle(clock)
      for (const answer of answers.splice(0)) answer()
      await settle(clock)
      ends.shift()?.()
    }
    assert.deepEqual(log, [1, 2, 3])
    await dispatcher.stop()
  })

  it('goes on with a run that had begun, also where that waits for its turn after a crash', async () => {
    const clock = manualClock()
    const { waiting, answers, store } = heldAnswers()
    const log: number[] = []
    const ends: (() => void)[] = []
    const dispatcher = setUp(clock, {
      store: { ...store, backlog: async () => new Map([['flow-1', 3]]) },
      execute: ({ run }, _, listener) => {
        log.push(run.seq)
        ends.push(() => {
          waiting.delete(run.seq)
          listener.done('ended')
        })
        return { cancel: () => {}, interrupt: () => {}, notify: () => {} }
      }
    })
    const readAll = async () => {
      await settle(clock)
      for (const answer of answers.splice(0)) answer()
      await settle(clock)
    }
    for (const seq of [1, 2, 3]) waiting.add(seq)
    await dispatcher.start()
    await readAll()
    // Of those in memory the store holds the one that has not begun.
    waiting.delete(3)
    dispatcher.pauseChanged('flow-1', true)
    ends.shift()!()
    await readAll()
    assert.deepEqual(log, [1, 2])
    ends.shift()!()
    await dispatcher.stop()
  })

  it('does not begin a run anew that was under way all the time', async () => {
    const clock = manualClock()
    const { waiting, answers, store } = heldAnswers()
    const log: number[] = []
    const ends: (() => void)[] = []
    const dispatcher = setUp(clock, {
      store,
      execute: ({ run }, _, listener) => {
        log.push(run.seq)
        ends.push(() => listener.done('ended'))
        return { cancel: () => {}, interrupt: () => {}, notify: () => {} }
      },
      limitOf: () => 5,
      places: { computing: 5, underWay: 100 }
    })
    waiting.add(1)
    dispatcher.offer(acceptedRun(1))
    await settle(clock)
    dispatcher.pauseChanged('flow-1', true)
    waiting.add(2)
    dispatcher.pauseChanged('flow-1', false)
    await settle(clock)
    for (const answer of answers.splice(0)) answer()
    await settle(clock)
    assert.deepEqual(log, [1, 2])
    for (const end of ends) end()
    await dispatcher.stop()
  })
})

test('whoever executes a run is told that it was ended by others, before it is opened again', () => {
  const clock = manualClock()
  const log: string[] = []
  const dispatcher = setUp(clock, {
    store: emptyStore,
    execute: ({ run }) => ({
      cancel: () => log.push(`cancel ${run.id}`),
      interrupt: () => {},
      notify: (news) => log.push(`${news} ${run.id}`)
    })
  })
  dispatcher.offer(acceptedRun(1))
  clock.turn()
  dispatcher.ending(storedRun(1))()
  dispatcher.reopening(storedRun(1))
  assert.deepEqual(log, ['ended run-1', 'cancel run-1', 'reopening run-1'])
})

test('whoever executes a run that was opened again is not told that it had ended before', async () => {
  const clock = manualClock()
  const log: string[] = []
  const ends: (() => void)[] = []
  const dispatcher = setUp(clock, {
    store: emptyStore,
    execute: ({ journal }, _, listener) => {
      const life = journal[0] ?? 'first'
      ends.push(() => listener.done('lost'))
      const tell = (what: string) => log.push(`${what} ${life}`)
      return { cancel: () => tell('cancel'), interrupt: () => {}, notify: tell }
    }
  })
  dispatcher.offer(acceptedRun(1))
  clock.turn()
  const endedFirst = dispatcher.ending(storedRun(1))
  const endedAgain = dispatcher.ending(storedRun(1))
  endedFirst()
  ends[0]!()
  await settle(clock)
  dispatcher.reopening(storedRun(1))
  dispatcher.resume(acceptedRun(1), ['second'])
  clock.turn()
  endedAgain()
  assert.deepEqual(log, ['ended first', 'cancel first'])
})

test('a run that was ended before it was offered is not executed', () => {
  const clock = manualClock()
  const executed: string[] = []
  const dispatcher = setUp(clock, {
    store: emptyStore,
    places: { computing: 4, underWay: 100 },
    limitOf: () => 4,
    execute: ({ run }) => {
      executed.push(run.id)
      return { cancel: () => {}, interrupt: () => {}, notify: () => {} }
    }
  })
  dispatcher.ending(storedRun(1))()
  dispatcher.offer(acceptedRun(1))
  dispatcher.offer(acceptedRun(2))
  clock.turn()
  assert.deepEqual(executed, ['run-2'])
})

describe('a run that waits in line and is ended by others', () => {
  function lineOfTwo() {
    const clock = manualClock()
    const executed: string[] = []
    const ends: (() => void)[] = []
    const dispatcher = setUp(clock, {
      store: emptyStore,
      execute: ({ run, journal }, _, listener) => {
        executed.push([run.id, ...journal].join(' '))
        ends.push(() => listener.done('ended'))
        return { cancel: () => {}, interrupt: () => {}, notify: () => {} }
      }
    })
    for (const seq of [1, 2]) dispatcher.offer(acceptedRun(seq))
    clock.turn()
    const goOn = () => {
      ends.shift()!()
      clock.turn()
    }
    return { clock, dispatcher, executed, goOn }
  }

  it('leaves the line, and nobody writes an end of it any more', () => {
    const { clock, dispatcher, executed, goOn } = lineOfTwo()
    dispatcher.ending(storedRun(2))()
    goOn()
    assert.deepEqual(executed, ['run-1'])
    dispatcher.reopening(storedRun(2))
    dispatcher.resume(acceptedRun(2), ['again'])
    clock.turn()
    assert.deepEqual(executed, ['run-1', 'run-2 again'])
  })

  it('stays in line where it was opened again since', () => {
    const { dispatcher, executed, goOn } = lineOfTwo()
    const ended = dispatcher.ending(storedRun(2))
    dispatcher.reopening(storedRun(2))
    dispatcher.resume(acceptedRun(2), ['again'])
    ended()
    goOn()
    assert.deepEqual(executed, ['run-1', 'run-2 again'])
  })
})
