import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../../clock.test-kit.ts'
import { Standstill } from './standstill.ts'

const yes = async () => true
const no = async () => false

function setUp() {
  const clock = manualClock()
  const standstill = new Standstill(clock)
  /** Looks once a second, for so many seconds; tells after which it stood still. */
  const look = async (seconds: number, hasWork = true, isStuck = yes) => {
    const told: boolean[] = []
    for (let second = 0; second < seconds; second++) {
      await standstill.queueAnswered(hasWork, isStuck)
      clock.advance(1_000)
      told.push(standstill.isHere)
    }
    return told
  }
  return { clock, standstill, look }
}

describe('a standstill', () => {
  it('is told after ten seconds in which runs waited and none was taken up, and not before', async () => {
    const { look } = setUp()
    const told = await look(13)
    assert.deepEqual([told.indexOf(true), told.at(-1)], [10, true])
  })

  it('is over with the first run that is taken up, and does not come back at once', async () => {
    const { standstill, look } = setUp()
    await look(13)
    standstill.took(1)
    assert.equal(standstill.isHere, false)
    assert.deepEqual(new Set(await look(10)), new Set([false]))
  })

  it('is none while runs are taken up, there is no room or nothing to do, or a limit keeps what waits', async () => {
    const { standstill, look } = setUp()
    for (let second = 0; second < 20; second++) {
      assert.deepEqual(await look(1), [false])
      standstill.took(3)
    }
    assert.deepEqual(new Set(await look(20, false)), new Set([false]))
    assert.deepEqual(new Set(await look(20, true, no)), new Set([false]))
  })

  it('is told where the queue does not answer who wants to take something up', async () => {
    const { clock, standstill } = setUp()
    clock.advance(60_000)
    assert.equal(standstill.isHere, false)
    standstill.tries()
    clock.advance(10_000)
    assert.equal(standstill.isHere, true)
    await standstill.queueAnswered(false, yes)
    assert.equal(standstill.isHere, false)
  })

  it('is one of all where each that executes runs has said so lately', () => {
    const { clock, standstill } = setUp()
    assert.equal(standstill.isInAll(0), false, 'without workers runs are accepted all the same')
    standstill.stillElsewhere('a')
    assert.deepEqual([standstill.isInAll(1), standstill.isInAll(2)], [true, false])
    clock.advance(3_000)
    standstill.stillElsewhere('b')
    assert.equal(standstill.isInAll(2), true)
    clock.advance(1_000)
    assert.equal(standstill.isInAll(2), false)
  })
})
