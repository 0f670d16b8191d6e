import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { signInReason } from './sign-in-reason.ts'

describe('signInReason', () => {
  it('has words for what the service says, and none for what anybody may write', () => {
    assert.match(signInReason('used') ?? '', /already been used/)
    for (const word of ['__proto__', 'constructor', 'toString', '', null])
      assert.equal(signInReason(word), undefined, String(word))
  })
})
