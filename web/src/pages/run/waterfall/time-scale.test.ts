import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Bar } from './bars.ts'
import { timeScale } from './time-scale.ts'

const work = (from: number, to: number): Bar => ({ kind: 'attempt', from, to, state: 'succeeded' })
const near = (actual: number, expected: number) => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual}`)

describe('the line of time', () => {
  it('is even where something happens all the time', () => {
    const { place, folds } = timeScale([work(0, 60), work(50, 100)], 100)
    for (const ms of [0, 25, 100]) near(place(ms), ms / 100)
    assert.deepEqual(folds, [])
  })

  it('folds a long time in which nothing happens', () => {
    const { place, folds } = timeScale([work(0, 50), work(3_600_000, 3_600_050)], 3_600_050)
    assert.equal(folds.length, 1)
    assert.equal(folds[0]!.lastedMs, 3_599_950)
    assert.ok(place(50) > 0.4 && place(50) < 0.5)
    near(place(3_600_050), 1)
  })

  it('does not fold what nobody would notice', () => {
    assert.deepEqual(timeScale([work(0, 1), work(500, 501)], 501).folds, [])
    assert.deepEqual(timeScale([], 60_000).folds, [])
  })

  it('never goes backwards and stays between its ends, whatever happened', () => {
    const bars = fc.array(
      fc
        .tuple(fc.integer({ min: 0, max: 1e7 }), fc.integer({ min: 0, max: 1e5 }))
        .map(([from, length]) => work(from, from + length))
    )
    fc.assert(
      fc.property(bars, fc.array(fc.integer({ min: 0, max: 2e7 })), (given, moments) => {
        const end = Math.max(1, ...given.map(({ to }) => to))
        const { place, ticks } = timeScale(given, end)
        const places = moments.toSorted((a, b) => a - b).map(place)
        for (const [index, each] of places.entries()) {
          assert.ok(each >= 0 && each <= 1 + 1e-9)
          assert.ok(index === 0 || each >= places[index - 1]! - 1e-9)
        }
        assert.ok(ticks.length <= 10)
      })
    )
  })
})
