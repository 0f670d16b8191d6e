import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../../clock.test-kit.ts'
import { SenderLimits } from './sender-limits.ts'

const ANN = '192.0.2.1'
const BOB = '192.0.2.2'

function make() {
  const clock = manualClock()
  const limits = new SenderLimits(clock.now)
  const sends = (address: string, times: number, flow = 'a') =>
    Array.from({ length: times }, () => limits.takeAllOrShare(flow, address, 8)).filter(
      ({ allowed }) => allowed
    ).length
  return { clock, limits, sends }
}

describe('what one address may send', () => {
  it('is all of it while nobody else sends', () => {
    const { clock, sends } = make()
    assert.equal(sends(ANN, 12), 8)
    clock.advance(7_500)
    assert.equal(sends(ANN, 2), 1, 'an eighth of a minute later')
    assert.equal(sends(BOB, 9, 'b'), 8, 'of another flow')
  })

  it('is a quarter as soon as somebody else does, and until a minute after', () => {
    const { clock, sends } = make()
    assert.equal(sends(ANN, 4), 4)
    assert.equal(sends(BOB, 4), 2)
    assert.equal(sends(ANN, 1), 0)
    clock.advance(30_000)
    assert.equal(sends(ANN, 2), 1, 'what was sent alone is held against nobody for long')
    clock.advance(60_000)
    assert.equal(sends(ANN, 9), 8, 'all of it')
  })

  it('is a quarter for good where that is asked for, and one at least', () => {
    const { limits } = make()
    const allowed = (perMinute: number) =>
      Array.from({ length: 8 }, () => limits.take(`of ${perMinute}`, ANN, perMinute)).filter(
        (verdict) => verdict.allowed
      ).length
    assert.deepEqual([8, 2, 1].map(allowed), [2, 1, 1])
  })

  it('is one for a network of IPv6', () => {
    const { sends } = make()
    assert.equal(sends('2001:db8::1', 4), 4)
    assert.equal(sends('2001:db8::2', 9), 4)
  })

  it('is not less where the clock is set back', () => {
    let now = 1_000_000_000
    const limits = new SenderLimits(() => now)
    limits.takeAllOrShare('a', ANN, 8)
    now -= 3_600_000
    assert.equal(limits.takeAllOrShare('a', ANN, 8).remaining, 6)
  })
})
