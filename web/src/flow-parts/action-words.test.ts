import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pausedWords, resumedWords } from './action-words.ts'

const ORDERS = [{ name: 'Orders' }]

describe('words about paused flows', () => {
  it('say how many runs start when they are resumed', () => {
    assert.equal(resumedWords(ORDERS, 0), '“Orders” is resumed. Nothing was held.')
    assert.equal(
      resumedWords(ORDERS, 1),
      '“Orders” is resumed. The held run starts now, in order of arrival.'
    )
    assert.match(resumedWords([...ORDERS, ...ORDERS], 3), /^2 flows are resumed\. 3 held runs start now/)
    assert.match(resumedWords(ORDERS, undefined), /Held runs start now/)
  })

  it('say what happens to what arrives, and how much is held in either mode', () => {
    assert.match(pausedWords('hold', 0), /accepted and held; it runs in order of arrival after Resume\.$/)
    assert.match(pausedWords('hold', 2), /2 runs are held now\.$/)
    assert.match(pausedWords('refuse', 1), /refused with 503 and Retry-After.* 1 run is held now\.$/)
  })
})
