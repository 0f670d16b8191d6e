import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { greet } from './index.js'

describe('greet', () => {
  it('greets by name', () => {
    assert.equal(greet('Ann', 'Hello'), 'Hello Ann')
  })

  it('says what to send where there is no name', () => {
    for (const name of [undefined, null, 7, {}]) {
      assert.throws(() => greet(name, 'Hello'), { code: 'no_name', retryable: false })
    }
  })
})
