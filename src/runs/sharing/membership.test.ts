import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { manualClock } from '../../clock.test-kit.ts'
import type { ClaimedRun, Pulse, Signal } from '../../store/shared-store.ts'
import { EndedWatch } from '../dispatch/ended-watch.ts'
import { Membership, type MembershipDeps } from './membership.ts'

const PULSE: Pulse = {
  isLeader: true,
  at: 0,
  workers: 1,
  silent: 0,
  backlog: 0,
  backlogAgeMs: 0,
  lastChange: 0,
  revisions: { flows: 0, contexts: 0, keys: 0, connections: 0 }
}
const RUN = {
  id: 'run-1',
  seq: 1,
  flowId: 'flow-a',
  claim: '1',
  deaths: 0,
  journal: [],
  input: new Uint8Array()
}

test('however often a connection comes back, a process says once a second that it is alive', async () => {
  const { clock, asked, tell, membership } = await join()
  const pulses = () => asked.filter((what) => what === 'pulse').length
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
  await membership.leave()
})

test('a process that may have missed word of waits lets its runs look, those too that have not begun', async () => {
  const { clock, notified, tell, membership, begin } = await join()
  const begun = begin()
  await turnOfTheLoop()
  tell({ woken: ['run-1'] })
  await begun
  assert.deepEqual(notified, ['woken'], 'it was told before it began')
  tell({ missed: true })
  assert.deepEqual(notified, ['woken', 'woken'])
  clock.turn()
  await membership.leave()
})

test('a process that hears no more of another one lets its runs look, once', async () => {
  const { clock, notified, silent, membership, begin } = await join()
  await begin()
  const second = async () => {
    clock.advance(1_000)
    await turnOfTheLoop()
  }
  await second()
  assert.deepEqual(notified, [])
  silent.count = 2
  await second()
  await second()
  silent.count = 0
  await second()
  assert.deepEqual(notified, ['woken'])
  clock.turn()
  await membership.leave()
})

describe('a process that leaves', () => {
  it('waits for the pulse under way, and leads and looks no more when that is answered', async () => {
    const { clock, asked, hold, membership } = await join()
    const answer = hold('pulse')
    clock.advance(1_000)
    asked.length = 0
    const left = membership.leave()
    await turnOfTheLoop()
    assert.deepEqual([asked, membership.isLeader], [[], false], 'it is still there')
    answer()
    await left
    assert.deepEqual([asked, membership.isLeader, clock.timers], [['leave'], false, 0])
  })

  for (const what of ['reclaimAbandoned', 'runMaintenance', 'flowsWithWork', 'endsOf', 'changes'] as const) {
    it(`waits for what it has asked of the store: ${what}`, async () => {
      const { clock, asked, hold, membership, watch } = await join()
      membership.news.subscribe('flow-a', () => {})
      void watch.wait('run-1', 60_000)
      await turnOfTheLoop()
      const answer = hold(what)
      clock.advance(1_000)
      await turnOfTheLoop()
      assert.ok(asked.includes(what))
      asked.length = 0
      const left = membership.leave()
      await turnOfTheLoop()
      assert.deepEqual(asked, [])
      answer()
      await left
      assert.deepEqual(asked, ['leave'])
      watch.stop()
    })
  }

  it('waits for what it brings in of others', async () => {
    const { asked, hold, tell, membership } = await join()
    const answer = hold('library')
    tell({ saved: { flows: 1 } })
    asked.length = 0
    const left = membership.leave()
    await turnOfTheLoop()
    assert.deepEqual(asked, [])
    answer()
    await left
    assert.deepEqual(asked, ['leave'])
  })

  it('gives back what it still holds first, and waits for the heartbeat under way', async () => {
    const { clock, asked, hold, membership, begin } = await join()
    await begin()
    const answer = hold('heartbeat')
    clock.advance(1_000)
    await turnOfTheLoop()
    asked.length = 0
    const left = membership.leave()
    await turnOfTheLoop()
    assert.deepEqual(asked, ['giveBack'])
    answer()
    await left
    assert.deepEqual(asked, ['giveBack', 'leave'])
  })

  it('gives back what a claim that was under way has brought, before it is gone', async () => {
    const { asked, hold, membership, begin } = await join()
    const answer = hold('claim')
    void begin()
    await turnOfTheLoop()
    asked.length = 0
    const left = membership.leave()
    await turnOfTheLoop()
    assert.deepEqual(asked, [])
    answer()
    await left
    assert.deepEqual(asked, ['giveBack', 'leave'])
  })
})

/** A process on a store that notes what is asked of it, and whose answers can be held back. */
async function join() {
  const clock = manualClock()
  const asked: string[] = []
  const held = new Map<string, Promise<void>>()
  const silent = { count: 1 }
  const queued: (typeof RUN)[] = []
  let hear: ((signal: Signal) => void) | undefined

  const answering =
    <T>(what: string, answer: () => T) =>
    async (): Promise<T> => {
      asked.push(what)
      const told = answer()
      await held.get(what)
      return told
    }
  const onError = (error: unknown) => assert.fail(String(error))
  const store = {
    processes: {
      pulse: answering('pulse', () => ({ ...PULSE, silent: silent.count })),
      runMaintenance: answering('runMaintenance', () => {}),
      leave: answering('leave', () => {})
    },
    signals: {
      tell: () => {},
      flush: async () => {},
      listen: (listener: (signal: Signal) => void) => {
        hear = listener
        return () => {}
      }
    },
    runs: { changes: answering('changes', () => []), lastChange: async () => 0 },
    queue: {
      flowsWithWork: answering('flowsWithWork', () => queued.map(({ flowId }) => flowId)),
      claim: answering('claim', () => queued.splice(0) as unknown as ClaimedRun[]),
      heartbeat: answering('heartbeat', () => ({ lost: [], cancelled: [] })),
      giveBack: answering('giveBack', () => {}),
      reclaimAbandoned: answering('reclaimAbandoned', () => []),
      endsOf: answering('endsOf', () => new Map())
    }
  } as unknown as MembershipDeps['store']
  const membership = new Membership({
    store,
    clock,
    facts: { id: 'p', role: 'all', host: 'h', pid: 1, version: '1' },
    executes: true,
    onLibraryChange: answering('library', () => {}),
    onError
  })
  const watch = new EndedWatch(clock)
  const notified: string[] = []
  const notify = (news: string) => void notified.push(news)
  const execute = () => ({ cancel() {}, interrupt() {}, notify })
  const limitOf = () => Number.POSITIVE_INFINITY
  const isCrowded = () => false
  const doings = { execute, cancelUnbegun: execute, onTakenUp: () => {} }
  const work = { clock, ...doings, limitOf, isCrowded, places: { computing: 2, underWay: 100 }, onError }
  const dispatch = membership.dispatch(work, watch)
  await membership.start()
  return {
    clock,
    silent,
    asked,
    notified,
    membership,
    watch,
    tell: (signal: Signal) => hear!(signal),
    /** The dispatcher takes up a run. */
    begin: async () => {
      queued.push(RUN)
      await dispatch.start()
      await turnOfTheLoop()
      clock.turn()
    },
    /** From now on this is not answered until what is returned is called. */
    hold: (what: string): (() => void) => {
      const gate = Promise.withResolvers<void>()
      held.set(what, gate.promise)
      return () => {
        held.delete(what)
        gate.resolve()
      }
    }
  }
}
