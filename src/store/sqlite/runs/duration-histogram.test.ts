import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { DurationHistogram } from './duration-histogram.ts'

function histogramOf(values: readonly number[]): DurationHistogram {
  const histogram = new DurationHistogram()
  for (const value of values) histogram.add(value)
  return histogram
}

describe('DurationHistogram', () => {
  it('knows nothing of no values', () => assert.equal(histogramOf([]).percentile(0.5), null))

  it('tells short durations exactly', () => {
    const values = Array.from({ length: 32 }, (_, value) => value)
    assert.equal(histogramOf(values).percentile(0.5), 15)
    assert.equal(histogramOf(values).percentile(1), 31)
    assert.equal(histogramOf([7]).percentile(0.99), 7)
    assert.equal(histogramOf([0, 0, 0]).percentile(0.5), 0)
  })

  it('is never further off than a sixty-fourth, whatever the durations are', () => {
    const durations = fc.array(fc.oneof(fc.nat(1_000), fc.nat(2 ** 31 - 1)), { minLength: 1 })
    const parts = fc.constantFrom(0.01, 0.5, 0.9, 0.99, 1)
    fc.assert(
      fc.property(durations, parts, (values, part) => {
        const sorted = values.toSorted((a, b) => a - b)
        const exact = sorted[Math.max(1, Math.ceil(part * sorted.length)) - 1]!
        const told = histogramOf(values).percentile(part)!
        assert.ok(Math.abs(told - exact) <= exact / 64, `${told} for ${exact}`)
      })
    )
  })

  it('takes what no clock should tell', () => {
    assert.equal(histogramOf([-5]).percentile(0.5), 0)
    assert.equal(histogramOf([1.7]).percentile(0.5), 1)
    const longest = histogramOf([1e15]).percentile(0.5)!
    assert.ok(longest > 2e9 && longest < 2 ** 31, String(longest))
  })
})
