import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ExactNumber, parseJson } from '../../plugin-api.ts'
import { DecimalSum } from './decimal-sum.ts'

function sum(...values: (number | ExactNumber)[]): string {
  const sum = new DecimalSum()
  for (const value of values) sum.add(value)
  return String(sum.total())
}

describe('a sum', () => {
  it('is that of the decimals, not of the doubles next to them', () => {
    assert.equal(sum(0.1, 0.2), '0.3')
    assert.equal(sum(1.005, 2.995, -4), '0')
    assert.equal(sum(...new Array<number>(1000).fill(0.01)), '10')
    assert.equal(sum(), '0')
  })

  it('keeps every digit of large numbers', () => {
    assert.equal(sum(new ExactNumber('9007199254740993'), 1), '9007199254740994')
    assert.equal(sum(9007199254740991, 9007199254740991, 0.5, -0.5), '18014398509481982')
    assert.equal(sum(1e300, 1, -1e300), '1')
    assert.equal(sum(parseJson('12.50') as ExactNumber, 0.25), '12.75')
  })

  it('is that of whole cents, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 }), { maxLength: 30 }), (cents) => {
        const expected = cents.reduce((total, cent) => total + cent, 0) / 100
        assert.equal(Number(sum(...cents.map((cent) => cent / 100))), expected)
      })
    )
  })
})
