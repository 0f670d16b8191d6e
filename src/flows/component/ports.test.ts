import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fits, PORT_TYPES, remedyForMisfit } from './ports.ts'

describe('fits', () => {
  const allowed = new Set(['table-data'])
  for (const from of PORT_TYPES) {
    for (const to of PORT_TYPES) {
      const isOfTools = from === 'tools' || to === 'tools'
      const isLet = from === 'any' || to === 'any' || allowed.has(`${from}-${to}`)
      const expected = from === to || (isLet && !isOfTools)
      it(`${expected ? 'lets' : 'does not let'} ${from} into ${to}`, () => {
        assert.equal(fits(from, to), expected)
      })
    }
  }
})

describe('remedyForMisfit', () => {
  it('puts a Parser between data and text', () => {
    assert.match(remedyForMisfit('data', 'text'), /Parser/)
    assert.match(remedyForMisfit('table', 'text'), /Parser/)
  })

  it('says what to do for every pair that does not fit', () => {
    for (const from of PORT_TYPES) {
      for (const to of PORT_TYPES.filter((type) => !fits(from, type)))
        assert.match(remedyForMisfit(from, to), /^(Wire a|Put a)/)
    }
  })
})
