import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { BoundedText, inTurns, type JsonValue, StepError, writeJson } from '../../plugin-api.ts'
import { type CsvRules, MOST_COLUMNS, parseCsv } from './csv-parse.ts'
import { writeCsv } from './csv-write.ts'

const RULES: CsvRules = { delimiter: undefined, hasHeader: true, isTyped: true, allowsUneven: false }

const NO_PAUSE = { pause: () => undefined }

const read = (text: string, rules: Partial<CsvRules> = {}, limit = 16 * 1024 ** 2) =>
  inTurns(parseCsv(text, { ...RULES, ...rules }, limit), NO_PAUSE) as JsonValue[]
const write = (rows: JsonValue[], style = {}, limit = 16 * 1024 ** 2) => {
  const text = new BoundedText(limit)
  inTurns(writeCsv(rows, { delimiter: ',', hasHeader: true, hasMark: false, ...style }, text), NO_PAUSE)
  return text.toString()
}

function problem(text: string, rules: Partial<CsvRules> = {}): string {
  try {
    read(text, rules)
  } catch (error) {
    assert.ok(error instanceof StepError && error.code === 'invalid_csv' && !error.retryable)
    return error.message
  }
  return assert.fail('it was read')
}

describe('reading CSV', () => {
  it('reads quotes, line breaks in them, empty lines, a mark of UTF-8 and ends of lines of all kinds', () => {
    const text = '\uFEFFname,"the note",n\r\nAnn,"says ""hi"",\nand goes",1\r\n\r\n12" pipe,,2\rBo,x,3'
    assert.deepEqual(read(text), [
      { name: 'Ann', 'the note': 'says "hi",\nand goes', n: 1 },
      { name: '12" pipe', 'the note': null, n: 2 },
      { name: 'Bo', 'the note': 'x', n: 3 }
    ])
    assert.deepEqual(read('a\n'), [])
  })

  it('finds out the delimiter', () => {
    assert.deepEqual(read('a;b\n1,5;2'), [{ a: '1,5', b: 2 }])
    assert.deepEqual(read('a\tb\n1\t2'), [{ a: 1, b: 2 }])
    assert.deepEqual(read('"a;b;c",b\n1,2'), [{ 'a;b;c': 1, b: 2 }])
    assert.deepEqual(read('12" pipe;"a,""b,c";d\n1;2;3'), [{ '12" pipe': 1, 'a,"b,c': 2, d: 3 }])
    assert.deepEqual(read('a;b\n1;2', { delimiter: ',' }), [{ 'a;b': '1;2' }])
  })

  it('takes the delimiter that the text begins with, as for Excel', () => {
    assert.deepEqual(read('\uFEFFsep=;\r\na,b,c;d\r\n1;2'), [{ 'a,b,c': 1, d: 2 }])
    assert.deepEqual(read('sep=\t\na;b;c\td\n1\t2'), [{ 'a;b;c': 1, d: 2 }])
    assert.deepEqual(read('sep=,\na;b\n1;2', { delimiter: ';' }), [{ a: 1, b: 2 }])
    assert.match(problem('sep=;\na;b\n1'), /Line 3: /)
  })

  it('takes for numbers what stays the same when it is written again', () => {
    const cells = ['12.50', '-7', '9007199254740993', '007', '1E5', '+1', '.5', 'true', '']
    const [row] = read(cells.join(','), { hasHeader: false })
    assert.equal(writeJson(row), '[12.50,-7,9007199254740993,"007","1E5","+1",".5","true",null]')
    assert.deepEqual(read('a\n1', { isTyped: false }), [{ a: '1' }])
  })

  it('gives each column a name of its own', () => {
    assert.deepEqual(read('a,,a\n1,2,3'), [{ a: 1, column_2: 2, a_2: 3 }])
    assert.deepEqual(
      read('__proto__,a\n1,2').map((row) => Object.keys(row as object)),
      [['__proto__', 'a']]
    )
  })

  it('names equal columns without asking each again', () => {
    const names = (text: string) => Object.keys(read(`${text}\n${text}`)[0] as object)
    assert.deepEqual(names('a,a_2,a,a,a_2'), ['a', 'a_2', 'a_3', 'a_4', 'a_2_2'])
    assert.deepEqual(names('column_2,,'), ['column_2', 'column_2_2', 'column_3'])
    const many = names('a,'.repeat(12_000))
    assert.equal(many.length, 12_001)
    assert.equal(many.at(-2), 'a_12000')
  })

  it('has as many columns as a sheet, and rows as far as they fit', () => {
    assert.match(problem(','.repeat(MOST_COLUMNS)), /Line 1: It has more than 16384 cells/)
    // 30 kB that would be 100 million cells.
    const text = `${'a,'.repeat(10_000)}\n${'1\n'.repeat(10_000)}`
    assert.throws(() => read(text, { allowsUneven: true }), { name: 'CsvTooLong' })
  })

  it('names the line of what is not CSV', () => {
    assert.match(problem('a,b\n1,2\n"x\ny",2\n1,2,3'), /Line 5: It has 3 cells, and the header 2/)
    assert.match(problem('a,b\n1,"2\n3,4'), /Line 2: The quote at the beginning of column 2 is never closed/)
    assert.match(problem('a,b\n1,"2"x'), /Line 2: After the closing quote of column 2 comes "x"/)
    assert.match(problem('{"a":1}'), /looks like JSON/)
    assert.match(problem(' <html>'), /looks like HTML/)
    assert.match(problem('PK\u0000'), /not text/)
    assert.match(problem(''), /empty/)
    assert.deepEqual(read('a,b\n1\n1,2,3', { allowsUneven: true }), [
      { a: 1, b: null },
      { a: 1, b: 2, column_3: 3 }
    ])
  })
})

describe('writing CSV', () => {
  it('has the columns of all rows, and quotes where they are needed', () => {
    const rows = [
      { a: 'x,"y"', b: null },
      { b: [1], c: ' z' }
    ]
    assert.equal(write(rows), 'a,b,c\n"x,""y""",,\n,[1]," z"\n')
    assert.equal(write([[1, 'a'], [2]], { hasHeader: true, delimiter: ';' }), '1;a\n2\n')
    assert.equal(write([{ a: 1 }], { hasHeader: false, hasMark: true }), '\uFEFF1\n')
    assert.throws(() => write([{ a: 1 }, 7]), { code: 'not_an_object', message: /Item 1 is the number 7/ })
  })

  it('has as many columns as a sheet, and is not begun where it cannot fit', () => {
    const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ [`k${at}`]: 1 }))
    assert.throws(() => write(rows(40_000)), { code: 'too_many_columns' })
    const before = process.cpuUsage()
    assert.throws(() => write(rows(16_000)), { name: 'TextTooLong' })
    assert.ok(process.cpuUsage(before).user < 500_000)
  })

  it('is read as it was written', () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', ',', ';', '"', '\n', ' ', 'é', '1'),
      minLength: 1,
      maxLength: 5
    })
    fc.assert(
      fc.property(fc.array(fc.record({ x: cell, y: cell }), { minLength: 1, maxLength: 5 }), (rows) => {
        assert.equal(
          JSON.stringify(read(write(rows), { delimiter: ',', isTyped: false })),
          JSON.stringify(rows)
        )
      })
    )
  })
})
