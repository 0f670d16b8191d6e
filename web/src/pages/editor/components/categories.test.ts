import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { byCategory, hueOf } from './categories.ts'

describe('categories', () => {
  it('stand in the order in which a flow is built, those of plugins by name, notes last', () => {
    const categories = ['Notes', 'Other', 'Models', 'Warehouse', 'Logic', 'Billing', 'Triggers', 'Logic']
    assert.deepEqual(
      byCategory(categories, (category) => category).map(([category, { length }]) => `${category} ${length}`),
      ['Triggers 1', 'Logic 2', 'Models 1', 'Billing 1', 'Warehouse 1', 'Other 1', 'Notes 1']
    )
  })

  it('have one hue each, the same every time', () => {
    assert.equal(hueOf('Logic'), 'Logic')
    assert.match(hueOf('Billing') ?? '', /^spare-[0-4]$/)
    assert.equal(hueOf('Billing'), hueOf('Billing'))
    assert.notEqual(hueOf('Billing'), hueOf('Warehouse'))
    assert.equal(hueOf(undefined), undefined)
  })
})
