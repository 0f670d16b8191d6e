import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { flowOf, node } from './flow.test-kit.ts'
import { hasLiveAddress, isAnythingLive, liveInWords } from './live-standing.ts'

describe('what is live', () => {
  it('is nothing while a flow is blank', () => {
    assert.equal(isAnythingLive(flowOf([])), false)
    assert.equal(isAnythingLive(flowOf(['parser-1'])), true)
    assert.equal(liveInWords({ version: 1, document: flowOf([]) }), 'Nothing is live yet')
    assert.equal(liveInWords({ version: 2, document: flowOf(['parser-1']) }), 'Version 2 is live')
  })

  it('has an address where a node that takes part in runs gives it one', () => {
    const webhook = node('webhook-1')
    assert.equal(hasLiveAddress(flowOf([webhook]), webhook.type), true)
    assert.equal(hasLiveAddress(flowOf([{ ...webhook, disabled: true }]), webhook.type), false)
    assert.equal(hasLiveAddress(flowOf([]), webhook.type), false)
  })
})
