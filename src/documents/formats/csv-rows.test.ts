import assert from 'node:assert/strict'
import { it } from 'node:test'
import { csvRows } from './csv-rows.ts'

it('rows of CSV are split by the delimiter that the first line has outside of quotes', () => {
  assert.deepEqual(csvRows('"Name, first, last";City\r"A, B";C'), [
    ['Name, first, last', 'City'],
    ['A, B', 'C']
  ])
  assert.deepEqual(csvRows('12" pipe;"a\n""b"",c,d";e\n1;2;3'), [
    ['12" pipe', 'a\n"b",c,d', 'e'],
    ['1', '2', '3']
  ])
})

it('rows of CSV are no empty lines, and one empty cell in quotes', () => {
  assert.deepEqual(csvRows('a\n\n""\r\n\r\n1'), [['a'], [''], ['1']])
})

it('rows of CSV that begins with its separator, as for Excel, are split by that and begin below it', () => {
  const rows = [
    ['a,b,c', 'd'],
    ['1', '2']
  ]
  assert.deepEqual(csvRows('sep=;\r\na,b,c;d\r\n1;2'), rows)
  assert.deepEqual(csvRows('"sep=#"\na,b,c#d\n1#2'), rows)
  assert.deepEqual(csvRows('sep=,;x;y\n1;2;3'), [
    ['sep=,', 'x', 'y'],
    ['1', '2', '3']
  ])
})
