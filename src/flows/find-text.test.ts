import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { indexOfText } from './find-text.ts'

const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 200 })

describe('finding a text in another', () => {
  it('finds what indexOf finds', () => {
    fc.assert(
      fc.property(letters, letters, fc.nat(100), fc.boolean(), (text, other, from, isPart) => {
        const part = isPart ? text.slice(from) : other
        assert.equal(indexOfText(text, part), text.indexOf(part))
      })
    )
    const part = 'ab'.repeat(20)
    assert.equal(indexOfText(`xx${'a'.repeat(30)}${part}`, part), 32)
  })

  it('takes no longer where both are alike throughout', () => {
    const half = 'a'.repeat(250_000)
    // The engine's own search takes minutes.
    assert.equal(indexOfText(half.repeat(4), `${half}b${half}`), -1)
  })
})
