import assert from 'node:assert/strict'
import { it } from 'node:test'
import { MOST_COLUMNS, MOST_ROWS, tableBeginning } from './table-beginning.ts'

it('reads a small table whole', () => {
  assert.deepEqual(tableBeginning('sku;qty\nA-1;2\nB-7;1;more\n', true), {
    header: ['sku', 'qty'],
    rows: [
      ['A-1', '2'],
      ['B-7', '1', 'more']
    ],
    isCut: false
  })
})

it('leaves out a last record that is not there whole, quotes and all', () => {
  const beginning = tableBeginning('a,b\n1,2\n3,"four\nfive\nsi', false)
  assert.deepEqual(beginning, { header: ['a', 'b'], rows: [['1', '2']], isCut: true })
})

it('shows so many rows and columns', () => {
  const line = Array.from({ length: 30 }, (_, at) => at).join(',')
  const table = tableBeginning(`${line}\n`.repeat(100), true)!
  assert.deepEqual(
    [table.header.length, table.rows.length, table.rows[0]!.length, table.isCut],
    [MOST_COLUMNS, MOST_ROWS, MOST_COLUMNS, true]
  )
})

it('is none where the text is something else', () => {
  for (const text of ['', '<html>', '{"a":1}', 'a,b\n"never closed'])
    assert.equal(tableBeginning(text, true), undefined)
  assert.equal(tableBeginning('one line without an end', false), undefined)
})
