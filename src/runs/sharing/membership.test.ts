import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { manualClock } from '../../clock.test-kit.ts'
import type { Pulse, Signal } from '../../store/shared-store.ts'
import { Membership, type MembershipDeps } from './membership.ts'

const PULSE: Pulse = {
  isLeader: false,
  backlog: 0,
  backlogAgeMs: 0,
  lastChange: 0,
  revisions: { flows: 0, contexts: 0, keys: 0 }
}

test('however often a connection comes back, a process says once a second that it is alive', async () => {
  const { clock, pulses, tell } = await join()
  for (let times = 0; times < 3; times++) {
    // The database answers slowly: the next connection is back before it has.
    tell({ missed: true })
    tell({ missed: true })
    await turnOfTheLoop()
  }
  const before = pulses()
  for (let seconds = 1; seconds <= 3; seconds++) {
    clock.advance(1_000)
    await turnOfTheLoop()
    assert.equal(pulses() - before, seconds)
  }
})

async function join() {
  const clock = manualClock()
  let pulses = 0
  let hear: ((signal: Signal) => void) | undefined
  const store = {
    processes: {
      pulse: async () => {
        pulses++
        return PULSE
      }
    },
    signals: {
      tell: () => {},
      flush: async () => {},
      listen: (listener: (signal: Signal) => void) => {
        hear = listener
        return () => {}
      }
    },
    runs: {},
    queue: {}
  } as unknown as MembershipDeps['store']
  const facts = { id: 'p', role: 'web', host: 'h', pid: 1, version: '1' }
  const onError = (error: unknown) => assert.fail(String(error))
  const deps = { store, clock, facts, performs: false, onLibraryChange: async () => {}, onError }
  await new Membership(deps).start()
  return { clock, pulses: () => pulses, tell: (signal: Signal) => hear!(signal) }
}
