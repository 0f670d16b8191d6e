import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { atOnce, inTurns } from '../in-turns.ts'
import { type JsonValue, parseJson } from './exact-json.ts'
import { accepts, nestedLists } from './nested-json.test-kit.ts'
import { parseJsonInTurns } from './parse-json-in-turns.ts'
import { readPlainlyInTurns } from './read-exactly.ts'

describe('JSON that is read in turns', () => {
  /** Long enough to be. */
  const SPACE = ' '.repeat(70_000)

  function read(text: string, maxDepth?: number): JsonValue {
    return inTurns(parseJsonInTurns(text, maxDepth), { pause: () => undefined }) as JsonValue
  }

  it('is what reading it at once gives', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(2), (value, indent) => {
        const text = JSON.stringify({ exact: '1.10', value }, null, indent).replace('"1.10"', '1.10')
        assert.deepEqual(read(SPACE + text), parseJson(text))
        assert.deepEqual(read(text + SPACE), parseJson(text))
      })
    )
  })

  it('is the same where items of lists are read many at once', () => {
    const special = fc.constantFrom(
      '1.10',
      '-0',
      '{"\\n":1}',
      '[[ ]]',
      '{ }',
      '01',
      '[1,,2]',
      '"a',
      ']',
      '{"a":[1 ,{}]}'
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(special, fc.json()), { minLength: 1, maxLength: 40 }), (items) => {
        const some = items.join(' ,')
        const text = `[${`${some},`.repeat(Math.ceil(70_000 / (some.length + 1)))}[1.10]]`
        const isJson = accepts(JSON.parse, text)
        assert.equal(accepts(read, text), isJson)
        if (isJson) assert.deepEqual(read(text), parseJson(text))
      }),
      { numRuns: 30 }
    )
  })

  it('counts the values of such items as those of any others', () => {
    const text = `[${'{"a":[1, "b"],"c":[ ]},'.repeat(10_000)}[[]]]`
    const most = { depth: 5, members: 20_000, values: 1 + 50_000 + 2 }
    assert.deepEqual(atOnce(readPlainlyInTurns(text, most)), JSON.parse(text))
    assert.throws(
      () => atOnce(readPlainlyInTurns(text, { ...most, values: most.values - 1 })),
      /more than 50002 values/
    )
    assert.throws(() => atOnce(readPlainlyInTurns(text, { ...most, depth: 2 })), /deeper than 2 levels/)
  })

  it('takes long texts and names in pieces, whatever is written in them', () => {
    for (const piece of ['a', '\\u0041', '\\"', '\\\\', 'é\\n', '😀', '\\ud83d\\ude00', 'abcde\\u00e9']) {
      for (const before of ['', 'x', 'xyz']) {
        const text = `"${before}${piece.repeat(20_000)}"`
        const whole = `[{${text}:${text}},${text},{"a":${text},"b":[${text}]}]`
        assert.deepEqual(read(whole), JSON.parse(whole))
      }
    }
  })

  it('holds the thread for a short while only', () => {
    const work = parseJsonInTurns(`[${'[],'.repeat(1_000_000)}"${'\\"'.repeat(1_000_000)}"]`)
    let turns = 1
    while (work.next().done !== true) turns++
    assert.ok(turns > 250, `${turns} turns`)
  })

  it('is refused where it is not JSON, with the place', () => {
    for (const [text, position] of [
      [`[1,${SPACE}x]`, 70_003],
      [`["${'a'.repeat(70_000)}`, 70_002],
      [`["${'a'.repeat(70_000)}\\x"]`, 70_004],
      [`{"a"${SPACE}}`, 70_004]
    ] as const) {
      assert.throws(() => read(text), {
        name: 'SyntaxError',
        message: `Unexpected text in JSON at position ${position}`
      })
    }
    for (const text of ['{', '[1.10', '"1.10', '{1:2}', '[1,]', '01', ''])
      assert.throws(() => read(SPACE + text), SyntaxError, text)
  })

  it('has as many levels as it may, and as many members', () => {
    assert.deepEqual(read(SPACE + nestedLists(5, '{}'), 6), parseJson(nestedLists(5, '{}')))
    for (const inner of ['[]', '{}', '[1]'])
      assert.throws(() => read(SPACE + nestedLists(6, inner), 6), /nested deeper than 6 levels/)
    const names = (count: number) => Array.from({ length: count }, (_, at) => `"k${at}":{"a":1,"b":2}`).join()
    assert.equal(Object.keys(read(`{${names(100_000)}}`) as object).length, 100_000)
    assert.throws(() => read(`[{${names(100_001)}}]`), /an object has more than 100000 members/)
  })
})
