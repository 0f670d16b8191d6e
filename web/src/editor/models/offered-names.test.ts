import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nextPlace, offeredNames } from './offered-names.ts'

const NAMES = ['gpt-5', 'gpt-5-mini', 'Claude-mini']

describe('names that are offered', () => {
  it('are all until something is typed, then those that hold its words', () => {
    assert.deepEqual(offeredNames(NAMES, undefined), NAMES)
    assert.deepEqual(offeredNames(NAMES, ' '), NAMES)
    assert.deepEqual(offeredNames(NAMES, 'MINI'), ['gpt-5-mini', 'Claude-mini'])
    assert.deepEqual(offeredNames(NAMES, 'mini 5'), ['gpt-5-mini'])
    assert.deepEqual(offeredNames(NAMES, 'my own'), [])
    const many = Array.from({ length: 500 }, (_, n) => `m${n}`)
    assert.equal(offeredNames(many, undefined).length, 200)
  })

  it('are gone through in a ring', () => {
    assert.deepEqual(
      [nextPlace(undefined, 1, 3), nextPlace(undefined, -1, 3), nextPlace(2, 1, 3), nextPlace(0, -1, 3)],
      [0, 2, 0, 2]
    )
    assert.equal(nextPlace(1, 1, 0), undefined)
  })
})
