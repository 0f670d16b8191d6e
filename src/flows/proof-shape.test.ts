import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { proofShape } from './proof-shape.ts'

describe('what a secret header looked like', () => {
  it('tells the prefix and the digits of a digest, and nothing of the value', () => {
    const hex = 'ab12'.repeat(16)
    assert.equal(proofShape('x-hub-signature-256', `sha256=${hex}`), 'sha256=[64 hex]')
    assert.equal(proofShape('linear-signature', hex), '[64 hex]')
    assert.equal(proofShape('x-shopify-hmac-sha256', `${'A'.repeat(43)}=`), '[44 base64]')
    assert.equal(proofShape('x-old-signature', `sha1=${hex.slice(0, 40)}`), 'sha1=[40 hex]')
  })

  it('tells nothing of what is no digest', () => {
    for (const value of ['t=1,v1=abc', 'sesame', '', `${'ab'.repeat(30)}`])
      assert.equal(proofShape('stripe-signature', value), '[hidden]')
    assert.equal(proofShape('authorization', 'ab12'.repeat(16)), '[hidden]')
  })
})
