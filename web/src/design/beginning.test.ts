import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { beginningOf } from './beginning.ts'

describe('the beginning of a message', () => {
  it('is not cut from one that is short', () => {
    assert.equal(beginningOf('The other side answered 502.'), undefined)
    assert.equal(beginningOf('a\n'.repeat(7)), undefined)
  })

  it('is its first lines', () => {
    assert.equal(beginningOf('at a line\n'.repeat(30)), Array(8).fill('at a line').join('\n'))
  })

  it('ends with a word where lines are long, or within one that has no end', () => {
    assert.equal(beginningOf('word '.repeat(400)), 'word '.repeat(160).trimEnd())
    assert.equal(beginningOf('x'.repeat(5000)), 'x'.repeat(400))
  })
})
