import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { coloured } from './paint.ts'
import { type Column, tableOf } from './table.ts'
import { harmless, widthOf } from './width.ts'

interface Row {
  readonly name: string
  readonly note: string
  readonly count: number
}

const COLUMNS: Column<Row>[] = [
  { title: 'NAME', of: ({ name }) => name, shrinks: true },
  { title: 'COUNT', of: ({ count }) => String(count), align: 'right' },
  { title: 'NOTE', of: ({ note }) => note, shrinks: true, tone: () => 'bad' }
]
const ROWS: Row[] = [
  { name: 'orders', count: 7, note: 'An order arrives and becomes a line' },
  { name: 'a-flow-with-a-very-long-name', count: 1200, note: '' }
]

describe('tableOf', () => {
  it('is as wide as its texts where nobody reads it on a terminal', () => {
    assert.equal(
      tableOf(COLUMNS, ROWS, { width: null }),
      [
        'NAME                          COUNT  NOTE\n',
        'orders                            7  An order arrives and becomes a line\n',
        'a-flow-with-a-very-long-name   1200\n'
      ].join('')
    )
  })

  it('fits the terminal, and cuts only what may be cut', () => {
    const text = tableOf(COLUMNS, ROWS, { width: 40 })
    const lines = text.trimEnd().split('\n')
    assert.ok(
      lines.every((line) => widthOf(line) <= 40),
      text
    )
    assert.match(text, / 1200\n/)
    assert.match(text, /a-flow-\S*…/)
  })

  it('leaves out what tells least where the terminal is very narrow, and no text is cut to nothing', () => {
    const columns = COLUMNS.map((column) => (column.title === 'NOTE' ? { ...column, leaves: 1 } : column))
    const text = tableOf(columns, ROWS, { width: 24 })
    assert.equal(text, 'NAME               COUNT\norders                 7\na-flow-with-a-ve…   1200\n')
  })

  it('counts columns as a terminal does', () => {
    const rows = ['注文', '🚀', 'é', 'a'].map((name) => ({ name, count: 1, note: '|' }))
    const places = tableOf(COLUMNS, rows, { width: null })
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => widthOf(line.slice(0, line.indexOf('|'))))
    assert.equal(new Set(places).size, 1)
  })

  it('has colours where they are asked for, and the same places', () => {
    const text = tableOf(COLUMNS, ROWS, { width: 60, paint: coloured })
    assert.ok(text.includes('\x1b[31mAn order'))
    assert.equal(
      stripVTControlCharacters(text).replaceAll(/ +\n/g, '\n'),
      tableOf(COLUMNS, ROWS, { width: 60 })
    )
  })
})

describe('harmless', () => {
  it('lets no name give orders to a terminal, nor turn the order of its letters round', () => {
    assert.equal(harmless('a\x1b[2Jb\u202Ec\nd\u0007'), 'a�[2Jb�c d�')
  })
})
