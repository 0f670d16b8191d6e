import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { preloadLinks } from './page-preloads.ts'

const PRELOADS = {
  flows: { scripts: ['assets/flows-1.js'], styles: [] },
  'flows/:flow': { scripts: ['assets/editor-1.js'], styles: ['assets/editor-1.css'] }
}

const hrefs = (links: readonly string[]) => links.map((link) => /href="\.\/(.*)"/.exec(link)![1])

describe('preloadLinks', () => {
  it('names the files of the page at the address, and what it reads first', () => {
    assert.deepEqual(hrefs(preloadLinks(PRELOADS, 'flows/orders', true)), [
      'api/v1/session',
      'api/v1/flows/orders',
      'api/v1/flows/orders/draft?or_none=true',
      'api/v1/components?context=%2F',
      'assets/editor-1.css',
      'assets/editor-1.js'
    ])
    assert.deepEqual(hrefs(preloadLinks(PRELOADS, 'flows', true)), ['api/v1/session', 'assets/flows-1.js'])
  })

  it('asks the API for nothing where nobody is signed in', () => {
    assert.deepEqual(hrefs(preloadLinks(PRELOADS, 'flows/orders', false)), [
      'assets/editor-1.css',
      'assets/editor-1.js'
    ])
  })

  it('has nothing for other addresses', () => {
    for (const name of ['', 'flows/', 'runs', 'flows/orders/runs', 'toString']) {
      assert.deepEqual(preloadLinks(PRELOADS, name, true), [], name)
    }
  })

  it('lets no address out of its attribute', () => {
    const [, flow] = preloadLinks(PRELOADS, 'flows/"><script>', true)
    assert.ok(flow!.endsWith('href="./api/v1/flows/&quot;>&lt;script>">'), flow)
  })
})
