import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { bucketsBetween, bucketsOfRange, RANGES } from './time-range.ts'

const HOUR = 3_600_000
const NOW = Date.parse('2026-01-31T12:10:00Z')

describe('buckets of a range that ends now', () => {
  it('cover the range up to now, whatever it is', () => {
    for (const { name, ms } of RANGES) {
      const { from, width, count } = bucketsOfRange(name, NOW, 0)
      assert.equal(width * count, ms)
      assert.ok(from + width * count >= NOW && from + width * (count - 1) < NOW, name)
    }
  })

  it('begin at round times, so that the same ones are asked for a while', () => {
    const { from } = bucketsOfRange('24h', NOW, 0)
    assert.equal(new Date(from).toISOString(), '2026-01-30T12:30:00.000Z')
    assert.deepEqual(bucketsOfRange('24h', NOW + 60_000, 0), bucketsOfRange('24h', NOW, 0))
  })

  it('begin at round times of the place, not of Greenwich', () => {
    const { from } = bucketsOfRange('30d', NOW, 2 * HOUR)
    assert.equal(new Date(from + 2 * HOUR).getUTCHours() % 12, 0)
  })
})

describe('buckets of a time that somebody chose', () => {
  it('cover it with sixty or so at the most', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: 1, max: 1e12 }), (since, span) => {
        const { from, width, count } = bucketsBetween(since, since + span, 0)
        assert.ok(from <= since && from + width * count >= since + span)
        assert.ok(count >= 1 && count <= 61, `${count} buckets`)
      })
    )
  })

  it('are of a length that people count in', () => {
    assert.equal(bucketsBetween(NOW, NOW + HOUR, 0).width, 60_000)
    assert.equal(bucketsBetween(NOW, NOW + 90_000, 0).width, 5000)
  })
})
