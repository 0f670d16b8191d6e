import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { flowOf, node } from './flow.test-kit.ts'
import {
  hasLiveAddress,
  isAnythingLive,
  liveInWords,
  publishedInWords,
  standingInWords,
  undoneInWords
} from './live-standing.ts'

describe('what is live', () => {
  it('is told without the number of a version when it is the first that does anything', () => {
    const [blank, parser] = [flowOf([]), flowOf(['parser-1'])]
    assert.equal(publishedInWords(blank, 2), 'The flow is live.')
    assert.equal(publishedInWords(parser, 3), 'Version 3 is live.')
    assert.match(undoneInWords({ ...blank, version: 3 }, 2), /^Nothing is live any more\./)
    assert.match(
      undoneInWords({ ...parser, version: 4 }, 3),
      /^What was live before version 3 .* version 4\./
    )
  })

  it('is nothing while a flow is blank', () => {
    assert.equal(isAnythingLive(flowOf([])), false)
    assert.equal(isAnythingLive(flowOf(['parser-1'])), true)
    assert.equal(liveInWords({ version: 1, document: flowOf([]) }), 'Nothing is live yet')
    assert.equal(liveInWords({ version: 2, document: flowOf(['parser-1']) }), 'Version 2 is live')
  })

  it('is told with how the draft stands to it; of a draft that is all there is, nothing is compared', () => {
    const live = { version: 2, document: flowOf(['parser-1']) }
    assert.match(standingInWords({ version: 1, document: flowOf([]) }, true), /^Nothing is live yet: callers/)
    assert.match(standingInWords(live, true), /^Version 2 is live\. The draft differs/)
    assert.match(standingInWords(live, false), /^Version 2 is live, and the draft is the same/)
  })

  it('has an address where a node that takes part in runs gives it one', () => {
    const webhook = node('webhook-1')
    assert.equal(hasLiveAddress(flowOf([webhook]), webhook.type), true)
    assert.equal(hasLiveAddress(flowOf([{ ...webhook, disabled: true }]), webhook.type), false)
    assert.equal(hasLiveAddress(flowOf([]), webhook.type), false)
  })
})
