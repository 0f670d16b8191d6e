import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { nextAttemptIn, ONE_ATTEMPT } from './retry-policy.ts'
import type { ReadFailure } from './step-error.ts'

const policy = { attempts: 10, backoffMs: 1_000, maxBackoffMs: 60_000 }
const failure: ReadFailure = { code: 'x', message: 'x', retryable: true, retryAfterMs: undefined }
const noJitter = () => 0

describe('nextAttemptIn', () => {
  it('doubles with each attempt up to its bound', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((made) => nextAttemptIn(policy, failure, made, noJitter))
    assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
  })

  it('is not made when the attempts are used up', () => {
    assert.equal(nextAttemptIn(policy, failure, 10, noJitter), null)
    assert.equal(nextAttemptIn(ONE_ATTEMPT, failure, 1, noJitter), null)
  })

  it('is not made when the failure says that trying again cannot help', () => {
    assert.equal(nextAttemptIn(policy, { ...failure, retryable: false }, 1, noJitter), null)
  })

  it('takes away up to half, so that runs that failed together do not come back together', () => {
    assert.equal(
      nextAttemptIn(policy, failure, 3, () => 0.999999),
      2_000
    )
    assert.equal(
      nextAttemptIn(policy, failure, 3, () => 0.5),
      3_000
    )
  })

  it('never undercuts what the other side asked for, not even by jitter or the bound', () => {
    const asked = { ...failure, retryAfterMs: 90_000 }
    assert.equal(
      nextAttemptIn(policy, asked, 1, () => 0.9),
      90_000
    )
    assert.equal(nextAttemptIn(policy, { ...failure, retryAfterMs: 10 }, 1, noJitter), 1_000)
  })

  it('follows a schedule, whose last wait holds for all that follow, and takes away a tenth of it', () => {
    const scheduled = { ...policy, schedule: [5_000, 300_000] }
    const waits = [1, 2, 3].map((made) => nextAttemptIn(scheduled, failure, made, noJitter))
    assert.deepEqual(waits, [5_000, 300_000, 300_000])
    assert.equal(
      nextAttemptIn(scheduled, failure, 1, () => 0.5),
      4_750
    )
    assert.equal(nextAttemptIn(scheduled, { ...failure, retryAfterMs: 60_000 }, 1, noJitter), 60_000)
  })

  it('is a whole number of milliseconds within a calendar, whatever was asked for', () => {
    const asked = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { nil: undefined })
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    fc.assert(
      fc.property(asked, fc.integer({ min: 1, max: 9 }), random, (retryAfterMs, made, chance) => {
        const wait = nextAttemptIn(policy, { ...failure, retryAfterMs }, made, () => chance)
        assert.ok(Number.isSafeInteger(wait) && wait! >= 500 && wait! <= 366 * 86_400_000, String(wait))
      })
    )
  })
})
