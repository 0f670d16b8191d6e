import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { OwnTime } from './own-time.js'

/** `busy`: of each millisecond that passes, the thread has so much. */
function timeOf(busy: number) {
  let passed = 0
  const time = new OwnTime({ passed: () => passed, had: () => passed * busy })
  time.begin(100)
  return (ms: number) => {
    passed += ms
    return time.isOver()
  }
}

describe('the time of a step', () => {
  it('is what passes, where it has a processor to itself', () => {
    const isOverAfter = timeOf(1)
    assert.deepEqual([isOverAfter(100), isOverAfter(1)], [false, true])
  })

  it('does not pass while others have the processor', () => {
    const isOverAfter = timeOf(0.25)
    assert.deepEqual([101, 200, 98, 2].map(isOverAfter), [false, false, false, true])
  })

  it('ends all the same where it never gets one', () => {
    const isOverAfter = timeOf(0)
    const looks = Array.from({ length: 10 }, () => isOverAfter(101))
    assert.deepEqual(looks, [...Array(9).fill(false), true])
  })

  it('does not pass while the whole process stands still', () => {
    const clocks = { passed: 0, had: 0 }
    const time = new OwnTime({ passed: () => clocks.passed, had: () => clocks.had })
    time.begin(100)
    const isOverAfter = (ms: number, had = ms) => {
      clocks.passed += ms
      clocks.had += had
      return time.isOver()
    }
    assert.deepEqual([isOverAfter(50), isOverAfter(100_000, 0), isOverAfter(49)], [false, false, false])
    assert.equal(isOverAfter(2), true)
  })
})
