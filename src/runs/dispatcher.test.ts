import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { type ManualClock, manualClock } from '../clock.test-kit.ts'
import { Dispatcher, type DispatcherDeps } from './dispatcher.ts'
import type { Performed } from './performance.ts'
import { acceptedRun, storedRun } from './stored-run.test-kit.ts'

function setUp(
  clock: ManualClock,
  deps: Partial<DispatcherDeps> & Pick<DispatcherDeps, 'store'>
): Dispatcher {
  return new Dispatcher({
    clock,
    deaths: 0,
    isCrowded: () => false,
    concurrency: 1,
    perform: () => assert.fail('nothing is to be performed'),
    cancelUnbegun: () => assert.fail('nothing is to be cancelled'),
    limitOf: () => 1,
    pressure: () => 0,
    onError: (error) => assert.fail(String(error)),
    ...deps
  })
}

const emptyStore: DispatcherDeps['store'] = {
  waiting: async () => [],
  nextDue: async () => null,
  backlog: async () => new Map(),
  lastChange: async () => 0,
  takeDue: async () => []
}

test('a run that is cancelled while it waits for its turn is ended, and not performed', async () => {
  const clock = manualClock()
  const log: string[] = []
  const ends: ((how: Performed) => void)[] = []
  const dispatcher = setUp(clock, {
    store: emptyStore,
    perform: ({ run }, _, done) => {
      log.push(`perform ${run.id}`)
      ends.push(done)
      return { cancel: () => log.push(`cancel ${run.id}`), interrupt: () => {} }
    },
    cancelUnbegun: ({ run }, done) => {
      log.push(`end ${run.id}`)
      ends.push(done)
      return { cancel: () => {}, interrupt: () => {} }
    }
  })
  for (const seq of [1, 2, 3]) dispatcher.offer(acceptedRun(seq))
  clock.turn()
  assert.equal(dispatcher.cancel(storedRun(1)), true)
  assert.equal(dispatcher.cancel(storedRun(2)), true)
  assert.equal(dispatcher.cancel(storedRun(9)), false)
  assert.deepEqual(log, ['perform run-1', 'cancel run-1', 'end run-2'])
  for (const end of ends.splice(0)) end('ended')
  clock.turn()
  assert.deepEqual(log.slice(3), ['perform run-3'])
  // Ended by somebody who did not know that it had been taken up.
  dispatcher.forget(storedRun(3))
  assert.deepEqual(log.slice(4), ['cancel run-3'])
  for (const end of ends) end('lost')
  await dispatcher.stop()
})

test('however many runs are parked at once, the store is asked once when the first is due', async () => {
  const clock = manualClock()
  let asked = 0
  const store: DispatcherDeps['store'] = {
    ...emptyStore,
    nextDue: async () => clock.now() + 60_000,
    takeDue: async () => {
      asked++
      return []
    }
  }
  const dispatcher = setUp(clock, { store })
  for (let run = 0; run < 5; run++) dispatcher.watchDue()
  for (let minutes = 1; minutes <= 3; minutes++) {
    await turnOfTheLoop()
    assert.equal(clock.timers, 1)
    clock.advance(60_000)
    await turnOfTheLoop()
    assert.equal(asked, minutes)
  }
  await dispatcher.stop()
  assert.equal(clock.timers, 0)
})
