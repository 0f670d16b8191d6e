import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { mutated } from './apply-mutation.ts'
import { MUTATIONS } from './mutations.ts'

describe('the mutations', () => {
  it('are thirty, and all fit the code as it is', () => {
    assert.equal(MUTATIONS.length, 30)
    for (const mutation of MUTATIONS) {
      const text = readFileSync(join(import.meta.dirname, '..', '..', mutation.file), 'utf8')
      assert.notEqual(mutated(text, mutation), text)
    }
  })

  it('say so where the code is not any more what they were written for', () => {
    const mutation = { name: 'x', file: 'a.ts', from: 'b', to: 'c' }
    assert.throws(() => mutated('a', mutation), /is not there any more\. Write it anew/)
    assert.throws(() => mutated('bb', mutation), /is there 2 times/)
  })
})
