import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { manualClock } from '../../clock.test-kit.ts'
import { DueWatch } from './due-watch.ts'

const HOUR = 3_600_000

/** Runs that are parked, by flow and time, and what was told of them. */
function setUp() {
  const clock = manualClock()
  const parked: { flowId: string; dueAt: number }[] = []
  const due: string[] = []
  const errors: unknown[] = []
  let looks = 0
  let isBroken = false
  const watch = new DueWatch({
    clock,
    store: {
      flowsDue: async (now) => {
        looks++
        if (isBroken) throw new Error('away')
        return [...new Set(parked.filter(({ dueAt }) => dueAt <= now).map(({ flowId }) => flowId))]
      },
      nextDue: async (after) => {
        const times = parked.map(({ dueAt }) => dueAt).filter((dueAt) => dueAt > after)
        return times.length === 0 ? null : Math.min(...times)
      }
    },
    onDue: (flowIds) => due.push(...flowIds),
    onError: (error) => errors.push(error)
  })
  return {
    clock,
    watch,
    due,
    errors,
    looks: () => looks,
    park: (flowId: string, ms: number) => parked.push({ flowId, dueAt: clock.now() + ms }),
    setBroken: (broken: boolean) => {
      isBroken = broken
    },
    advance: async (ms: number) => {
      clock.advance(ms)
      await turnOfTheLoop()
    }
  }
}

describe('watching for runs that are due', () => {
  it('looks once when the first is due, however many are parked', async () => {
    const { watch, clock, due, looks, park, advance } = setUp()
    for (let run = 0; run < 5; run++) {
      park('a', 60_000 + run)
      watch.expect('a', clock.now() + 60_000 + run)
    }
    assert.equal(clock.timers, 1)
    await advance(59_999)
    assert.deepEqual([due, looks()], [[], 0])
    await advance(1)
    assert.deepEqual([due, looks()], [['a'], 1])
    watch.stop()
    assert.equal(clock.timers, 0)
  })

  it('goes on with what is due later, and does not come back to what was told of', async () => {
    const { watch, due, looks, park, advance } = setUp()
    park('a', -1)
    park('b', 1_000)
    await watch.look()
    assert.deepEqual(due, ['a'])
    await advance(999)
    assert.equal(looks(), 1)
    await advance(1)
    // What was not taken up yet is told of again, with what has come to it.
    assert.deepEqual(due, ['a', 'a', 'b'])
    watch.stop()
  })

  it('takes an earlier time for a later one', async () => {
    const { watch, clock, due, park, advance } = setUp()
    park('late', 9_000)
    await watch.look()
    park('early', 1_000)
    watch.expect('early', clock.now() + 1_000)
    await advance(1_000)
    assert.deepEqual(due, ['early'])
    watch.stop()
  })

  it('notices within half a minute that the clock was put forward, by a day', async () => {
    const { watch, clock, due, looks, park, advance } = setUp()
    park('a', 25 * HOUR)
    watch.expect('a', clock.now() + 25 * HOUR)
    await advance(HOUR)
    const { now } = clock
    clock.now = () => now() + 24 * HOUR
    await advance(30_000)
    assert.deepEqual([due, looks(), clock.timers], [['a'], 1, 0])
  })

  it('waits until the clock says so where it was put back, by an hour', async () => {
    const { watch, clock, due, park, advance } = setUp()
    park('a', 2 * HOUR)
    watch.expect('a', clock.now() + 2 * HOUR)
    await advance(HOUR)
    const { now } = clock
    clock.now = () => now() - HOUR
    await advance(HOUR)
    assert.deepEqual(due, [])
    await advance(HOUR - 1)
    assert.deepEqual(due, [])
    await advance(1)
    assert.deepEqual(due, ['a'])
    watch.stop()
  })

  it('tells of a run at once that is due when it is parked', () => {
    const { watch, clock, due } = setUp()
    watch.expect('a', clock.now())
    assert.deepEqual([due, clock.timers], [['a'], 0])
  })

  it('looks again after the store could not be read', async () => {
    const { watch, due, errors, park, advance, setBroken } = setUp()
    park('a', -1)
    setBroken(true)
    await watch.look()
    setBroken(false)
    assert.equal(errors.length, 1)
    await advance(1_000)
    assert.deepEqual(due, ['a'])
    watch.stop()
  })
})
