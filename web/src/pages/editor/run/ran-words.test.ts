import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ranWords } from './ran-words.ts'

describe('what a run ran, in words', () => {
  it('is its version, and of a test that it is one, whatever was published since', () => {
    assert.equal(ranWords({ version: 7, isTest: false, isEdited: false }), 'v7')
    assert.equal(ranWords({ version: 7, isTest: false, isEdited: true }), 'v7, edited since')
    assert.equal(ranWords({ version: 7, isTest: true, isEdited: false }), 'test')
    assert.equal(ranWords({ version: 7, isTest: true, isEdited: true }), 'test, edited since')
  })
})
