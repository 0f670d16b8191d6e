import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { manualClock, NOON } from '../../clock.test-kit.ts'
import { sharedClock } from './shared-clock.ts'

describe('the clock that processes share', () => {
  it('is its own until the database has told the time', () => {
    assert.equal(sharedClock(manualClock()).clock.now(), NOON)
  })

  it('says what the database says, whatever its own says, to the length of a question and its answer', () => {
    const ms = (max: number) => fc.nat(max)
    const asked = fc.record({ pause: ms(2_000), there: ms(50), back: ms(50) })
    fc.assert(
      fc.property(fc.integer({ min: -100_000, max: 100_000 }), fc.array(asked), (behind, questions) => {
        const own = manualClock()
        const { clock, told } = sharedClock(own)
        const database = () => own.now() + behind
        for (const { pause, there, back } of questions) {
          own.advance(pause)
          const askedAt = own.stopwatch()
          own.advance(there)
          const at = database()
          own.advance(back)
          told(at, askedAt)
          assert.ok(clock.now() >= at, 'a moment that was told has come')
          assert.ok(Math.abs(clock.now() - database()) <= there + back + 1)
        }
      })
    )
  })

  it('does not jump because one answer was late', () => {
    const own = manualClock()
    const { clock, told } = sharedClock(own)
    told(5_000, own.stopwatch())
    const askedAt = own.stopwatch()
    own.advance(40)
    told(5_001, askedAt)
    assert.equal(clock.now(), 5_040)
  })

  it('follows a clock that is set', () => {
    const own = manualClock()
    const { clock, told } = sharedClock(own)
    told(5_000, own.stopwatch())
    told(9_000, own.stopwatch())
    assert.equal(clock.now(), 9_000)
    told(1_000, own.stopwatch())
    assert.equal(clock.now(), 1_000)
  })
})
