import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expiryAfter, LIFETIMES, lifetimesWithin, standingOf } from './key-expiry.ts'

const now = Date.parse('2026-01-01T00:00:00Z')

describe('how long a key is good', () => {
  it('is counted from now', () => {
    assert.equal(expiryAfter('30', now), '2026-01-31T00:00:00.000Z')
    assert.equal(expiryAfter('never', now), null)
  })

  it('can be chosen in ways that all come to an end, but one', () => {
    assert.equal(LIFETIMES.filter(({ value }) => expiryAfter(value, now) === null).length, 1)
  })

  it('is offered within what the key of whoever makes it has left', () => {
    const valuesWithin = (own: string | null) => lifetimesWithin(own, now).map(({ value }) => value)
    assert.deepEqual(valuesWithin(null), ['never', '7', '30', '90', '365'])
    assert.deepEqual(valuesWithin('2026-01-31T00:00:00Z'), ['never', '7', '30'])
    assert.equal(lifetimesWithin('2026-01-31T00:00:00Z', now)[0]!.label, 'As long as your own key')
  })

  it('is worth a warning a week before its end', () => {
    assert.equal(standingOf(null, now), 'lasting')
    assert.equal(standingOf('2026-01-08T00:00:00Z', now), 'good')
    assert.equal(standingOf('2026-01-07T23:59:59Z', now), 'ending')
    assert.equal(standingOf('2026-01-01T00:00:00Z', now), 'expired')
  })
})
