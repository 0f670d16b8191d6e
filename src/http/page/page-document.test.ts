import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fillDocument } from './page-document.ts'

const FACTS = { base: '/flows/', nonce: 'bm9uY2U=' }
const OWN = '<base href="/flows/">\n    <meta name="style-nonce" content="bm9uY2U=">'

describe('fillDocument', () => {
  it('writes base and nonce once, before all that has an address', () => {
    const source = readFileSync(new URL('../../../web/index.html', import.meta.url), 'utf8')
    const filled = fillDocument(source, FACTS)
    assert.equal(filled.split('<base ').length, 2)
    assert.equal(filled.split('name="style-nonce"').length, 2)
    assert.ok(filled.includes(OWN))
    assert.ok(filled.indexOf('<base ') < filled.search(/ (?:href|src)="\./))
  })

  it('writes links last into the head', () => {
    const filled = fillDocument('<head><title>x</title></head>', {
      ...FACTS,
      links: ['<link a>', '<link b>']
    })
    assert.match(filled, /<title>x<\/title>\s*<link a>\s*<link b>\s*<\/head>$/)
  })

  it('does without places that are kept for them', () => {
    const filled = fillDocument('<html><head lang="en"><title>x</title></head></html>', FACTS)
    assert.equal(filled, `<html><head lang="en">\n    ${OWN}<title>x</title></head></html>`)
  })

  it('lets no path out of its attribute, and takes a dollar as it is', () => {
    const filled = fillDocument('<head></head>', { base: '/a"><script>&$1$&/', nonce: 'x' })
    assert.ok(filled.includes('<base href="/a&quot;>&lt;script>&amp;$1$&amp;/">'), filled)
  })
})
