import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tableOf } from './table-of.ts'

describe('tableOf', () => {
  it('gives a column for every key of any row, in the order in which they come', () => {
    const table = tableOf([
      { a: 1, b: 2 },
      { c: 3, a: 4 }
    ])
    assert.deepEqual(table?.columns, ['a', 'b', 'c'])
    assert.equal(table?.rows.length, 2)
  })

  it('takes an object for a table of one row', () => {
    assert.deepEqual(tableOf({ order: 7 })?.columns, ['order'])
  })

  it('finds no table in text, numbers, mixed lists and what is empty', () => {
    for (const value of ['text', 7, null, [], {}, [{ a: 1 }, 2], [[1]]]) {
      assert.equal(tableOf(value), undefined, JSON.stringify(value))
    }
  })
})
