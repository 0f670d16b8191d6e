import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { countTicks, durationTick, labelledBuckets, linePath, logScale, lonePoints } from './plot-scale.ts'

describe('the scale of counts', () => {
  it('ends at a round number that is not exceeded, with little room above', () => {
    assert.deepEqual(
      [0, 1, 3, 7, 10, 13, 480].map((most) => countTicks(most).top),
      [2, 2, 4, 8, 10, 14, 500]
    )
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), (most) => {
        const { top, ticks } = countTicks(most)
        assert.ok(top >= most && top <= most * 1.5 + 2)
        assert.deepEqual([ticks[0]!.place, ticks.at(-1)!.place], [0, 1])
      })
    )
  })

  it('writes no half of a run', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), (most) => {
        assert.ok(countTicks(most).ticks.every(({ value }) => Number.isInteger(value)))
      })
    )
  })
})

describe('the scale of durations', () => {
  it('gives each tenfold the same room', () => {
    const { place, ticks } = logScale([1, 1000])
    assert.deepEqual(
      ticks.map(({ value }) => value),
      [1, 10, 100, 1000]
    )
    assert.ok(Math.abs(place(10) - 1 / 3) < 1e-9)
  })

  it('is that of usual runs where there are none', () => {
    assert.deepEqual(
      logScale([]).ticks.map(({ value }) => durationTick(value)),
      ['1 ms', '10 ms', '100 ms', '1 s']
    )
  })

  it('writes its ticks in few letters, up to weeks', () => {
    const words = [1e2, 1e3, 1e5, 1e6, 1e7, 1e8, 1e9].map(durationTick)
    assert.deepEqual(words, ['100 ms', '1 s', '100 s', '17 min', '2.8 h', '28 h', '278 h'])
  })

  it('holds every value, and has few ticks', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e9, noNaN: true })), (values) => {
        const { place, ticks } = logScale(values)
        for (const value of values) assert.ok(place(value) >= 0 && place(value) <= 1)
        assert.ok(ticks.length >= 1 && ticks.length <= 4)
      })
    )
  })
})

describe('labels below buckets', () => {
  it('do not touch', () => {
    assert.deepEqual(labelledBuckets(60, 600, 100), [0, 10, 20, 30, 40, 50])
    assert.deepEqual(labelledBuckets(3, 600, 100), [0, 1, 2])
    assert.deepEqual(labelledBuckets(60, 10, 100), [0])
  })
})

describe('a line', () => {
  it('breaks where there is no value, and a lone value is a point', () => {
    const points = [[0, 1], [1, 2], null, [3, 4], null] as [number, number][]
    assert.equal(linePath(points), 'M0.0 1.0L1.0 2.0M3.0 4.0')
    assert.deepEqual(lonePoints(points), [[3, 4]])
  })
})
