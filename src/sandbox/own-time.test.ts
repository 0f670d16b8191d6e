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
    assert.deepEqual([isOverAfter(1_000), isOverAfter(1)], [false, true])
  })
})
