import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StepError } from '../../engine/step-error.ts'
import type { IncomingAnswer } from '../../plugin-api.ts'
import { asDeliveryError, DeliveryRefused, verdictOf } from './delivery-error.ts'

function refused(status: number, headers: Record<string, string> = {}): DeliveryRefused {
  const answer = { status, headers, url: 'https://a.example/hook?token=1' } as unknown as IncomingAnswer
  return new DeliveryRefused(answer, 'no', 0)
}

describe('a delivery that was not taken', () => {
  it('is tried again whatever the receiver said, unless it is gone', () => {
    for (const status of [302, 400, 401, 404, 422, 429, 500, 503])
      assert.equal(refused(status).retryable, true)
    const { code, retryable } = refused(410)
    assert.deepEqual([code, retryable], ['destination_gone', false])
    assert.equal(refused(503, { 'retry-after': '60' }).retryAfterMs, 60_000)
    assert.match(refused(500).message, /^https:\/\/a\.example\/hook answered 500 and said: no\n/)
  })

  it('is tried again where the way there is broken, and not where it may not be gone', () => {
    const expired = Object.assign(new Error('expired'), { code: 'CERT_HAS_EXPIRED' })
    const { code, retryable } = asDeliveryError(expired, 'a.example')
    assert.deepEqual([code, retryable], ['certificate_expired', true])
    const guarded = new StepError('no', { code: 'egress_refused', retryable: false })
    assert.equal(asDeliveryError(guarded, 'a.example').retryable, false)
  })

  it('tells of the receiver, unless it is about what was sent or was given up', () => {
    const verdicts = [404, 410, 429, 500, 302].map((status) => verdictOf(refused(status)))
    assert.deepEqual(new Set(verdicts), new Set(['down']))
    for (const status of [400, 409, 413, 415, 422]) assert.equal(verdictOf(refused(status)), 'up')
    const coded = (code: string) => verdictOf(new StepError('x', { code }))
    assert.deepEqual(['upstream_unreachable', 'certificate_expired', 'step_timeout'].map(coded), [
      'down',
      'down',
      'down'
    ])
    assert.deepEqual(['egress_refused', 'run_cancelled', 'url_invalid'].map(coded), [
      'unknown',
      'unknown',
      'unknown'
    ])
  })
})
