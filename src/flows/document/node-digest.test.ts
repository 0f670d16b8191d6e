import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { atOnce } from '../in-turns.ts'
import { parseJson } from '../json/exact-json.ts'
import { nodeDigest } from './node-digest.ts'
import { nodeDigestInTurns } from './node-digest-in-turns.ts'

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

  it('is the same in turns, and there are some where it is long', () => {
    const isSame = (fields: Record<string, unknown>) =>
      assert.equal(atOnce(nodeDigestInTurns({ type: 'parser', fields })), digestOf(fields))
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(9_000), (fields, times) => {
        isSame(fields)
        isSame({ ...fields, long: new Array(times >> 4).fill(fields), text: 'é"\u{1f600}\n'.repeat(times) })
      }),
      { numRuns: 20 }
    )
    const fields = { a: Array.from({ length: 20_000 }, () => ({ b: {}, a: [[]] })) }
    isSame(fields)
    assert.ok([...nodeDigestInTurns({ type: 'parser', fields })].length > 10)
  })

  it('tells any two texts apart that people write', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        assert.equal(digestOf({ a: one }) === digestOf({ a: other }), one === other)
      })
    )
  })
})
