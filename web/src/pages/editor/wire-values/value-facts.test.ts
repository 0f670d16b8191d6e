import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type JsonValue, parseJson } from '../../../../../src/flows/json/exact-json.ts'
import { factsOf } from './value-facts.ts'

describe('a value at a glance', () => {
  const rows: [value: JsonValue, kind: string, size: string, beginning: string][] = [
    [{ total: 7 }, 'object with 1 key', '11 bytes', '{\n  "total": 7\n}'],
    [[1, 2], 'list of 2', '5 bytes', '[\n  1,\n  2\n]'],
    ['Ännchen', 'text', '8 bytes', 'Ännchen'],
    ['', 'text', '0 bytes', ''],
    [true, 'boolean', '4 bytes', 'true'],
    [null, 'null', '4 bytes', 'null'],
    [
      { file: `file_${'a'.repeat(22)}`, filename: 'scan.pdf', content_type: 'application/pdf', size: 48_213 },
      'file',
      '48 kB',
      'scan.pdf\napplication/pdf'
    ],
    [parseJson('12345678901234567890'), 'number', '20 bytes', '12345678901234567890']
  ]
  for (const [value, kind, size, beginning] of rows) {
    it(`is ${kind} of ${size}`, () => {
      assert.deepEqual(factsOf(value), { kind, size, beginning, isCut: false })
    })
  }

  it('shows the beginning of what is long', () => {
    const long = factsOf('a'.repeat(2_000))
    assert.deepEqual([long.size, long.beginning.length, long.isCut], ['2.0 kB', 420, true])
    const lines = factsOf(Object.fromEntries(Array.from({ length: 40 }, (_, key) => [`k${key}`, key])))
    assert.deepEqual([lines.beginning.split('\n').length, lines.isCut], [9, true])
  })

  it('stops counting where a value is large', () => {
    const rows = Array.from({ length: 60_000 }, (_, id) => ({ id, name: 'somebody or other' }))
    assert.equal(factsOf(rows).size, 'more than 1 MB')
    assert.equal(factsOf('a'.repeat(1_000_001)).size, 'more than 1 MB')
  })
})
