import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compilePattern } from './pattern.ts'
import { patternSize } from './pattern-size.ts'

const isFound = (pattern: string, text: string) => compilePattern(pattern).isFoundIn(text)

describe('a pattern', () => {
  it('is found as in RE2, and written as in JavaScript', () => {
    assert.equal(isFound('^[a-z]+\\d{2}$', 'ab12'), true)
    assert.equal(isFound('\\u00e9\\/', 'é/'), true)
    assert.equal(isFound('(?<year>\\d{4})', '2026'), true)
    assert.equal(isFound('^(a+)+$', `${'a'.repeat(1_000)}!`), false)
    assert.throws(() => compilePattern('(?=a)b'), { code: 'pattern_invalid' })
  })

  it('has a size that is known before it is compiled', () => {
    assert.equal(patternSize('(a{10}b){3}'), 36)
    assert.equal(patternSize('[(]{10}\\({2}\\p{Lu}{3}a+'), 17)
    assert.throws(() => compilePattern('(a{100}){10}'.repeat(1_000)), {
      code: 'pattern_invalid',
      message: /too large/
    })
    assert.throws(() => compilePattern('a'.repeat(1_000_000)), { code: 'pattern_invalid' })
  })

  it('is not looked for where that would keep everybody waiting', () => {
    const text = 'ab'.repeat(500_000)
    assert.equal(isFound('(a|b)+c?$', text), true)
    assert.throws(() => isFound('(a|b)*a(a|b){200}$', text), { code: 'pattern_too_costly' })
    assert.equal(isFound('(a|b)*a(a|b){200}$', text.slice(0, 901)), true)
  })
})
