import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nextPlace } from './next-place.ts'

describe('nextPlace', () => {
  it('goes on where somebody was', () => {
    assert.equal(nextPlace('/runs?status=failed'), '/runs?status=failed')
  })

  it('leads nobody away, and not in circles', () => {
    for (const asked of [
      null,
      '',
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      '/\n/evil.example',
      '/\t\\evil.example',
      '/.//evil.example',
      '/x/..//evil.example',
      '/%2e//evil.example',
      '/./sign-in',
      'javascript:x',
      '/sign-in'
    ]) {
      assert.equal(nextPlace(asked), '/flows', String(asked))
    }
  })
})
