import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ExactNumber, type JsonValue } from '../../plugin-api.ts'
import { readArray } from './postgres-arrays.ts'
import { readerOf } from './postgres-values.ts'

const TEXTS = 1009
const readTexts = readerOf(TEXTS)
const MB = 1_000_000

/** As PostgreSQL writes it. */
function written(value: JsonValue): string {
  if (Array.isArray(value)) return `{${value.map(written).join(',')}}`
  return value === null ? 'NULL' : `"${String(value).replace(/["\\]/g, '\\$&')}"`
}

/** Of this thread alone: others may have the processor meanwhile. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

describe('an array of PostgreSQL', () => {
  it('is read in as many dimensions as it has', () => {
    const numbers = readerOf(1007)
    assert.deepEqual(numbers('{}'), [])
    assert.deepEqual(numbers('{1,NULL,-3}'), [1, null, -3])
    assert.deepEqual(numbers('{{1,2},{3,4}}'), [
      [1, 2],
      [3, 4]
    ])
    assert.deepEqual(numbers('{{{{{{7}}}}}}'), [[[[[[7]]]]]])
    assert.deepEqual(readTexts('{a b,"NULL",NULL,"",",{}"}'), ['a b', 'NULL', null, '', ',{}'])
  })

  it('is what was written, whatever its texts are', () => {
    const items = fc.array(fc.option(fc.string()), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(fc.array(items, { minLength: 1, maxLength: 4 }), (lists) =>
        assert.deepEqual(readTexts(written(lists)), lists)
      )
    )
  })

  it('stays text where it is not an array', () => {
    for (const text of [
      '',
      'a',
      '{',
      '}',
      '{}}',
      '{1',
      '{1}2',
      '{"a}',
      '{"a\\"}',
      '[2:3]={1,2}',
      '{{}}',
      '"'
    ])
      assert.equal(readTexts(text), text)
    const deep = `${'{'.repeat(7)}1${'}'.repeat(7)}`
    assert.equal(readTexts(deep), deep)
  })

  it('is read no further than its seventh brace', () => {
    let asked = 0
    const text = '{1,'.repeat(5 * MB)
    assert.equal(
      readArray(text, (item) => {
        asked++
        return item
      }),
      text
    )
    assert.equal(asked, 6)
  })

  it('is refused with more arrays in it than anybody has', () => {
    assert.throws(() => readTexts(`{${'{1},'.repeat(600_000)}{1}}`), {
      code: 'sql_failed',
      retryable: false,
      message: /more than 500000 arrays in it\. Select its items as rows/
    })
  })

  it('keeps items as text that are not what their type says, however many they are', () => {
    const start = cpuMs()
    for (const [type, item] of [
      [3807, '[x'],
      [1231, '""'],
      [1231, 'NaN'],
      [1021, 'Infinity']
    ] as const) {
      const items = readerOf(type)(`{${`${item},`.repeat(MB / 4)}${item}}`) as JsonValue[]
      assert.equal(items.length, MB / 4 + 1)
      assert.equal(items.at(-1), item.replaceAll('"', ''))
    }
    assert.ok(cpuMs() - start < 3_000)
    const numbers = new Array(5_000).fill(new ExactNumber('1.10'))
    assert.deepEqual(
      readerOf(3807)(`{${new Array(5_000).fill('"[1.10]"').join(',')}}`),
      numbers.map((n) => [n])
    )
    assert.deepEqual(readerOf(199)('{null,NULL,"{\\"a\\":1}"}'), [null, null, { a: 1 }])
  })

  it('is read in time, however long it is', () => {
    const long: readonly string[] = [
      '{'.repeat(15 * MB),
      `{${'{},'.repeat(5 * MB)}{}}`,
      `{${'1,'.repeat(MB)}1}`,
      `{${'{1},'.repeat(400_000)}{1}}`,
      `{${','.repeat(15 * MB)}}`,
      `{"${'a'.repeat(15 * MB)}"}`,
      `{"${'\\"'.repeat(MB)}"}`,
      `{"${'\\'.repeat(15 * MB)}`,
      `{${'"'.repeat(2 * MB)}}`
    ]
    for (const text of long) {
      const start = cpuMs()
      readTexts(text)
      assert.ok(cpuMs() - start < 1_500, `${text.slice(0, 8)} takes ${cpuMs() - start} ms`)
    }
    assert.deepEqual((readTexts(long[2]!) as JsonValue[]).length, MB + 1)
    assert.deepEqual(readTexts(long[5]!), ['a'.repeat(15 * MB)])
  })
})
