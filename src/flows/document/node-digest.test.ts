import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseJson } from '../json/exact-json.ts'
import { nodeDigest } from './node-digest.ts'

const digestOf = (fields: Record<string, unknown>, type = 'parser') => nodeDigest({ type, fields })

describe('the digest of a node', () => {
  it('is the same in whatever order fields are written', () => {
    const one = digestOf({ a: 1, b: { x: [1, 2], y: 'é' } })
    assert.equal(digestOf({ b: { y: 'é', x: [1, 2] }, a: 1 }), one)
    assert.match(one, /^[0-9a-f]{16}$/)
    assert.equal(digestOf({ price: parseJson('1.10') }), digestOf({ price: 1.1 }))
  })

  it('is another one for another type, field, value or order of a list', () => {
    const digests = [
      digestOf({ a: [1, 2] }),
      digestOf({ a: [1, 2] }, 'prompt'),
      digestOf({ b: [1, 2] }),
      digestOf({ a: [2, 1] }),
      digestOf({ a: '[1,2]' }),
      digestOf({ a: { 0: 1, 1: 2 } }),
      digestOf({})
    ]
    assert.equal(new Set(digests).size, digests.length)
  })

  it('tells any two texts apart that people write', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        assert.equal(digestOf({ a: one }) === digestOf({ a: other }), one === other)
      })
    )
  })
})
