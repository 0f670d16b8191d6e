import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fixingWords } from './fixing-words.ts'

describe('fixing a run that failed', () => {
  it('tells what is next', () => {
    const words = (isTried: boolean, status: string | undefined, hasDraft = true) =>
      fixingWords({ isTried, status, hasDraft })
    assert.match(words(false, 'failed'), /^Change the node/)
    assert.match(words(true, 'failed'), /^It still fails/)
    assert.match(words(true, 'succeeded'), /Publish it/)
    assert.match(words(true, 'succeeded', false), /on what is live/)
    assert.match(words(true, 'in progress'), /goes on/)
  })
})
