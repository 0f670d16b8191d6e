import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { manualClock } from '../clock.test-kit.ts'
import { Dispatcher, type DispatcherDeps } from './dispatcher.ts'

test('however many runs are parked at once, the store is asked once when the first is due', async () => {
  const clock = manualClock()
  let asked = 0
  const store: DispatcherDeps['store'] = {
    waiting: async () => [],
    nextDue: async () => clock.now() + 60_000,
    backlog: async () => new Map(),
    lastChange: async () => 0,
    takeDue: async () => {
      asked++
      return []
    }
  }
  const dispatcher = new Dispatcher({
    clock,
    store,
    deaths: 0,
    isCrowded: () => false,
    concurrency: 1,
    perform: () => assert.fail('nothing is due'),
    limitOf: () => 1,
    pressure: () => 0,
    onError: (error) => assert.fail(String(error))
  })
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
