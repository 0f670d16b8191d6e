import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pathOf, withoutPublicPath } from './public-path.ts'

describe('the path of the public address', () => {
  it('is empty for most', () => {
    assert.equal(pathOf(null), '')
    assert.equal(pathOf('https://flows.example.com'), '')
    assert.equal(pathOf('https://example.com/team/flows'), '/team/flows')
  })

  it('is taken off where it is there as a whole', () => {
    const without = (url: string) => withoutPublicPath(url, '/flows')
    assert.equal(without('/flows/api/v1/runs?a=/flows/'), '/api/v1/runs?a=/flows/')
    assert.equal(without('/flows'), '/')
    assert.equal(without('/flows?a=1'), '/?a=1')
    assert.equal(without('/flows/flows/orders'), '/flows/orders')
    for (const url of ['/', '/api/v1/flows', '/flowsheet', '*', 'http://x/flows/a'])
      assert.equal(without(url), url, url)
  })
})
