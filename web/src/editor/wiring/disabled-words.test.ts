import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { disabledWords } from './disabled-words.ts'
import { testCatalogue } from './page-catalogue.test-kit.ts'

const catalogue = testCatalogue()

describe('a disabled node', () => {
  it('says what becomes of what reaches it', () => {
    assert.equal(disabledWords(catalogue.facts('webhook')), 'disabled: starts no runs')
    assert.equal(disabledWords(catalogue.facts('chat-output')), 'disabled: passes its input on')
    // Data in, text out: what comes in is not what others take for its text.
    assert.equal(disabledWords(catalogue.facts('parser')), 'disabled: nothing leaves it')
    assert.equal(disabledWords(undefined), 'disabled')
  })
})
