import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { SLUG } from './document/flow-document.ts'
import { slugFor, slugsFor } from './slug.ts'

const free = () => false

describe('slugFor', () => {
  const rows: [name: string, slug: string][] = [
    ['Orders', 'orders'],
    ['Orders (EU)', 'orders-eu'],
    ['  Größe & Maß  ', 'gro-e-ma'],
    ['Crème brûlée', 'creme-brulee'],
    ['ﬁne №5', 'fine-no5'],
    ['注文', 'flow'],
    ['---', 'flow'],
    ['', 'flow']
  ]
  for (const [name, slug] of rows) {
    it(`makes ${JSON.stringify(slug)} of ${JSON.stringify(name)}`, () =>
      assert.equal(slugFor(name, free), slug))
  }

  it('counts on from a slug that is taken', () => {
    const taken = new Set(['orders', 'orders-2'])
    assert.equal(
      slugFor('Orders', (slug) => taken.has(slug)),
      'orders-3'
    )
  })

  it('makes of every name a slug that a flow may have', () => {
    const slug = new RegExp(SLUG)
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.nat(2000), (name, takenBefore) => {
        let asked = 0
        assert.match(
          slugFor(name, () => asked++ < takenBefore),
          slug
        )
      })
    )
  })
})

describe('slugsFor', () => {
  it('gives another one with each call, and does not look again at those that it gave', () => {
    let looked = 0
    const next = slugsFor((slug) => ++looked > 0 && slug === 'orders-2')
    const names = ['Orders', 'Orders', 'Orders 4', 'Orders', 'Orders']
    assert.deepEqual(names.map(next), ['orders', 'orders-3', 'orders-4', 'orders-5', 'orders-6'])
    for (let at = 0; at < 2_000; at++) next('Orders')
    assert.ok(looked < 2_020, `${looked} looks`)
  })
})
