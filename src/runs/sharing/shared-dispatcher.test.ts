import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { manualClock } from '../../clock.test-kit.ts'
import type { ClaimedRun } from '../../store/shared-store.ts'
import type { RunToEnd } from '../../store/store.ts'
import { storedRun } from '../record/stored-run.test-kit.ts'
import { SharedDispatcher, type SharedDispatcherDeps } from './shared-dispatcher.ts'

/** 1,000 bytes of memory by what RunMemory holds it for. */
const INPUT = `"${'x'.repeat(98)}"`

/** A process that claims what the test hands out. What happens to runs is told in `log`. */
function setUp(memory?: number) {
  const clock = manualClock()
  const log: string[] = []
  const lost: number[] = []
  const ends = new Map<string, () => void>()
  const cancelled: number[] = []
  const claims: ((runs: ClaimedRun[]) => void)[] = []
  const queue: SharedDispatcherDeps['queue'] = {
    flowsWithWork: async () => [],
    isStuck: async () => false,
    claim: () => new Promise((resolve) => claims.push(resolve)),
    heartbeat: async (runs) => ({
      lost: runs.filter(({ seq }) => lost.includes(seq)),
      cancelled: runs.filter(({ seq }) => cancelled.includes(seq))
    }),
    giveBack: async () => {}
  }
  const dispatcher = new SharedDispatcher({
    clock,
    queue,
    places: { computing: 8, underWay: 100, ...(memory !== undefined && { memory }) },
    isCrowded: () => false,
    limitOf: () => Number.POSITIVE_INFINITY,
    onTakenUp: () => log.push('taken up'),
    told: () => {},
    standstill: { tries: () => {}, took: () => {}, queueAnswered: async () => {} },
    tellWork: () => {},
    wantCancel: async ({ id, claimedUnder }) => {
      log.push(`want ${id} cancelled`)
      return claimedUnder !== undefined
    },
    tellToAsk: (ids) => log.push(`tell of ${ids.join()}`),
    tellWoken: (id) => log.push(`woken ${id} elsewhere`),
    onError: (error) => assert.fail(String(error)),
    execute: ({ run }, isSuspect, { done }) => {
      ends.set(run.id, () => done('ended'))
      log.push(`execute ${run.id}${isSuspect ? ' as a suspect' : ''}`)
      return {
        cancel: () => log.push(`cancel ${run.id}`),
        interrupt: () => {},
        notify: (news) => log.push(`${run.id}: ${news}`)
      }
    },
    cancelUnbegun: ({ run }, { done }) => {
      log.push(`end ${run.id}`)
      done('ended')
      return { cancel: () => {}, interrupt: () => {}, notify: () => {} }
    }
  })
  dispatcher.mayHaveWork(['flow-1'])
  return {
    clock,
    log,
    lost,
    cancelled,
    dispatcher,
    claims,
    end: (runId: string) => ends.get(runId)!(),
    hand: async (...seqs: number[]) => {
      claims.shift()!(
        seqs.map((seq) => ({
          ...storedRun(seq, { flowId: seq % 10 === 0 ? 'flow-2' : 'flow-1', input: INPUT }),
          claim: `claim-${seq}`,
          deaths: seq % 100 > 50 ? 1 : 0,
          wasParked: seq > 100,
          takenAt: 0
        }))
      )
      await turnOfTheLoop()
    }
  }
}

it('a run that was parked counts again when it is claimed', async () => {
  const { hand, clock, log } = setUp()
  await hand(1, 101)
  clock.turn()
  assert.deepEqual(log, ['taken up', 'execute run-1', 'execute run-101'])
})

it('a run that one process has died with is a suspect', async () => {
  const { hand, clock, log } = setUp()
  await hand(1, 51)
  clock.turn()
  assert.deepEqual(log, ['execute run-1', 'execute run-51 as a suspect'])
})

it('whoever executes a run hears that a wait of it has ended, here or elsewhere', async () => {
  const { dispatcher, hand, clock, log } = setUp()
  await hand(1)
  clock.turn()
  dispatcher.tell('run-1', 'woken')
  dispatcher.tell('run-1', 'child ended')
  dispatcher.tell('run-2', 'woken')
  dispatcher.tell('run-2', 'child ended')
  assert.deepEqual(log, ['execute run-1', 'run-1: woken', 'run-1: child ended', 'woken run-2 elsewhere'])
})

it('runs that hold much in memory begin as others end, and leave room for those of other flows', async () => {
  const { dispatcher, hand, end, claims, clock, log } = setUp(4_000)
  await hand(1, 2, 3, 4, 5, 10, 20)
  clock.turn()
  assert.deepEqual(log.splice(0), ['execute run-1', 'execute run-2', 'execute run-3', 'execute run-10'])
  dispatcher.mayHaveWork(['flow-3'])
  assert.equal(claims.length, 0, 'what there is no room for is left to the others')
  end('run-10')
  clock.turn()
  assert.deepEqual(log.splice(0), ['execute run-20'])
  end('run-1')
  end('run-2')
  clock.turn()
  assert.deepEqual(log, ['execute run-4', 'execute run-5'])
})

const toEnd = (seq: number, claimedUnder = `claim-${seq}`): RunToEnd => ({
  ...storedRun(seq),
  state: 'claimed',
  lastEntry: 0,
  isClaimed: true,
  claimedUnder
})

describe('a run that is cancelled after it was claimed and before it has begun', () => {
  it('is ended, and not executed', async () => {
    const { dispatcher, hand, clock, log } = setUp()
    await hand(1, 2)
    assert.equal(await dispatcher.cancel(toEnd(2)), true)
    assert.deepEqual(log, ['want run-2 cancelled', 'end run-2'])
    clock.turn()
    assert.deepEqual(log, ['want run-2 cancelled', 'end run-2', 'execute run-1'])
    assert.deepEqual(
      [1, 2].map((seq) => dispatcher.isActive(`run-${seq}`)),
      [true, false]
    )
  })

  it('by another process is ended too', async () => {
    const { dispatcher, hand, clock, log, cancelled } = setUp()
    await hand(1)
    cancelled.push(1)
    dispatcher.mayBeCancelled(['run-1'])
    await turnOfTheLoop()
    clock.turn()
    assert.deepEqual(log, ['end run-1'])
  })

  it('is ended also where the claim was still under way', async () => {
    const { dispatcher, hand, clock, log, cancelled } = setUp()
    dispatcher.mayBeCancelled(['run-1'])
    cancelled.push(1)
    await hand(1, 2)
    clock.turn()
    assert.deepEqual(log, ['end run-1', 'execute run-2'])
  })

  it('does not begin where it was ended while the claim was under way', async () => {
    const { dispatcher, hand, clock, log, lost } = setUp()
    dispatcher.ending(storedRun(1))()
    lost.push(1)
    await hand(1, 2)
    clock.turn()
    assert.deepEqual(log, ['execute run-2'])
    assert.equal(dispatcher.isActive('run-1'), false)
  })
})

describe('a cancel of an earlier life of a run', () => {
  it('does not cancel the one that goes on', async () => {
    const { dispatcher, hand, clock, log } = setUp()
    dispatcher.mayBeCancelled(['run-1'])
    await hand(1)
    clock.turn()
    dispatcher.mayBeCancelled(['run-1'])
    await dispatcher.cancel(toEnd(1, 'claim-of-before'))
    await turnOfTheLoop()
    assert.deepEqual(log, ['execute run-1', 'want run-1 cancelled'])
  })

  it('does not stop the one that was claimed since', async () => {
    const { dispatcher, hand, clock, log } = setUp()
    const ended = dispatcher.ending(storedRun(1))
    await hand(1)
    clock.turn()
    ended()
    await turnOfTheLoop()
    assert.deepEqual(log, ['execute run-1'])
  })
})

it('a run that is to be cancelled is when a heartbeat tells so, whether or not a signal came', async () => {
  const { dispatcher, hand, clock, log, cancelled } = setUp()
  await dispatcher.start()
  await hand(1, 2)
  clock.turn()
  cancelled.push(2)
  clock.advance(1_000)
  await turnOfTheLoop()
  assert.deepEqual(log, ['execute run-1', 'execute run-2', 'cancel run-2'])
  await dispatcher.letGo()
})

it('a run whose claim is held no longer is stopped, and nobody takes that for a cancel', async () => {
  const { dispatcher, hand, clock, log, lost } = setUp()
  await dispatcher.start()
  await hand(1)
  clock.turn()
  lost.push(1)
  clock.advance(1_000)
  await turnOfTheLoop()
  assert.deepEqual(log, ['execute run-1', 'run-1: lost'])
  await dispatcher.letGo()
})
