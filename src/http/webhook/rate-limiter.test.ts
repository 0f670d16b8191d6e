import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { manualClock } from '../../clock.test-kit.ts'
import { RateLimiter, rateLimitFields } from './rate-limiter.ts'

function make() {
  const clock = manualClock()
  return { clock, limiter: new RateLimiter(clock.now) }
}

function burst(limiter: RateLimiter, times: number, perMinute: number, flow = 'a'): number {
  return Array.from({ length: times }, () => limiter.take(flow, perMinute)).filter(({ allowed }) => allowed)
    .length
}

describe('the rate limit', () => {
  it('lets a burst up to the limit pass, then the steady rate', () => {
    const { clock, limiter } = make()
    assert.equal(burst(limiter, 100, 60), 60)
    clock.advance(1_000)
    assert.equal(burst(limiter, 5, 60), 1)
    clock.advance(10_000)
    assert.equal(burst(limiter, 50, 60), 10)
  })

  it('holds at most one minute’s worth', () => {
    const { clock, limiter } = make()
    burst(limiter, 60, 60)
    clock.advance(3_600_000)
    assert.equal(burst(limiter, 200, 60), 60)
  })

  it('is each flow’s own', () => {
    const { limiter } = make()
    burst(limiter, 60, 60, 'a')
    assert.equal(burst(limiter, 60, 60, 'b'), 60)
  })

  it('follows a limit that is changed', () => {
    const { clock, limiter } = make()
    burst(limiter, 1, 60)
    assert.equal(burst(limiter, 60, 10), 10)
    clock.advance(6_000)
    assert.equal(burst(limiter, 60, 10), 1)
  })

  it('says when to come back: then the request passes', () => {
    const limit = fc.integer({ min: 1, max: 100_000 })
    const pauses = fc.array(fc.nat(5_000), { maxLength: 10 })
    fc.assert(
      fc.property(limit, pauses, (perMinute, pauses) => {
        const { clock, limiter } = make()
        for (const pause of pauses) {
          burst(limiter, Math.min(perMinute, 50), perMinute)
          clock.advance(pause)
        }
        const verdict = limiter.take('a', perMinute)
        if (verdict.allowed) return
        assert.ok(verdict.secondsToNext >= 1)
        clock.advance(verdict.secondsToNext * 1_000)
        assert.equal(limiter.take('a', perMinute).allowed, true)
      })
    )
  })

  it('does not punish anybody when the clock is set back', () => {
    let now = 1_000_000_000
    const limiter = new RateLimiter(() => now)
    limiter.take('a', 60)
    now -= 3_600_000
    assert.equal(limiter.take('a', 60).allowed, true)
    now += 1_000
    assert.equal(limiter.take('a', 60).remaining, 58)
  })
})

describe('the RateLimit fields', () => {
  it('say what is left and when the bucket is full again', () => {
    const { limiter } = make()
    const verdict = limiter.take('a', 60)
    assert.deepEqual(rateLimitFields(verdict), {
      'ratelimit-policy': '"flow";q=60;w=60',
      ratelimit: '"flow";r=59;t=1'
    })
  })

  it('say when the next request passes where none is left', () => {
    const { limiter } = make()
    burst(limiter, 2, 2)
    const verdict = limiter.take('a', 2)
    assert.deepEqual([verdict.allowed, verdict.secondsToNext], [false, 30])
    assert.equal(rateLimitFields(verdict).ratelimit, '"flow";r=0;t=30')
  })
})
