import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { firstTemplate } from './first-template.ts'

describe('what a template begins with', () => {
  it('is a line for each key that came, of a list for those of its items', () => {
    const order = { order_id: 7, 'ship to': { city: 'Bonn' } }
    assert.equal(firstTemplate(order), 'order_id: {order_id}\nship to: {ship to}')
    assert.equal(firstTemplate([order, { other: 1 }]), 'order_id: {order_id}\nship to: {ship to}')
  })

  it('is no more than can be read at a glance', () => {
    const wide = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`k${n}`, n]))
    assert.equal(firstTemplate(wide)?.split('\n').length, 6)
  })

  it('is nothing of its own where there are no keys', () => {
    for (const came of [undefined, null, 'text', 7, [], {}, ['a']])
      assert.equal(firstTemplate(came), undefined)
  })
})
