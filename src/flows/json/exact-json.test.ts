import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  ExactNumber,
  isPlainObject,
  type JsonValue,
  MAX_DEPTH,
  PAYLOAD_DEPTH,
  parseJson,
  writeJson
} from './exact-json.ts'
import { nestedLists } from './nested-json.test-kit.ts'
import { readPayload } from './read-payload.ts'

function wideObject(members: number): string {
  return `{${Array.from({ length: members }, (_, at) => `"${at}":1`).join()}}`
}

/** Runs `work` far down the stack, as a handler behind a web framework would be. */
function insideFrames<T>(frames: number, work: () => T): T {
  return frames === 0 ? work() : [insideFrames(frames - 1, work)][0]!
}

function nestedObjects(depth: number, inner: string): string {
  return '{"a":'.repeat(depth) + inner + '}'.repeat(depth)
}

describe('parseJson', () => {
  const long = ['100000000000000000000000', '0.1000000000000000055511151231257827', '0.0000001']
  const exact = [
    '12345678901234567890',
    '-9007199254740993',
    '1.10',
    '5.0',
    '1e400',
    '-0',
    '-0.0',
    '1E5',
    '0.10',
    '-1.50',
    '0.00'
  ]
  for (const source of [...exact, ...long]) {
    it(`keeps the digits of ${source}`, () => {
      assert.deepEqual(parseJson(source), new ExactNumber(source))
      assert.deepEqual(parseJson(`{"a":[ ${source} ]}`), { a: [new ExactNumber(source)] })
    })
  }

  for (const source of [
    '0',
    '1',
    '-1',
    '1.5',
    '149.95',
    '-0.25',
    '0.05',
    '0.000001',
    '10000000000.01',
    '9007199254740992',
    '1e-7',
    '1e+21',
    '123456789012345'
  ]) {
    it(`leaves ${source} a plain number`, () => {
      assert.equal(parseJson(source), Number(source))
      // The neighbour forces the slower way of parsing.
      assert.deepEqual(parseJson(`[${source},1.10]`), [Number(source), new ExactNumber('1.10')])
    })
  }

  it('does not take digits inside texts and keys for numbers', () => {
    const text = '{"at 1.10":"2024-01-05T10:00:00.000Z","b\\"1.10":"\\\\","c":"1e400"}'
    assert.deepEqual(parseJson(text), JSON.parse(text))
  })

  it('finds an exact number after escaped quotes and backslashes', () => {
    assert.deepEqual(parseJson('["\\"","\\\\",1.10]'), ['"', '\\', new ExactNumber('1.10')])
  })

  it('reads each name with an escape for itself, whatever names came before', () => {
    parseJson('{"a":1,"\\\\":2}')
    assert.deepEqual(parseJson('{"a":1,"\\"":2}'), { a: 1, '"': 2 })
    assert.deepEqual(parseJson('{"a":1,"\\"" : 2}'), { a: 1, '"': 2 })
  })

  it('lets the last of two equal keys win, exact or not', () => {
    assert.deepEqual(parseJson('{"a":1.10,"a":2}'), { a: 2 })
    assert.deepEqual(parseJson('{"a":2,"a":1.10}'), { a: new ExactNumber('1.10') })
  })

  for (const number of ['1', '1.10']) {
    it(`keeps __proto__ an own property and pollutes nothing, with ${number} beside it`, () => {
      const value = parseJson(`{"__proto__":{"polluted":${number}},"constructor":${number},"n":${number}}`)
      assert.ok(isPlainObject(value))
      assert.deepEqual(Object.keys(value), ['__proto__', 'constructor', 'n'])
      assert.equal(Object.getPrototypeOf(value), Object.prototype)
      assert.equal('polluted' in {}, false)
      assert.equal('polluted' in value, false)
    })
  }

  for (const text of [
    '',
    ' ',
    '{',
    '01',
    '1.',
    '.5',
    '+1',
    'NaN',
    '[1.10',
    '{1.10:2}',
    "'a'",
    '1.10.2',
    '-',
    '"1.10'
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.throws(() => parseJson(text), SyntaxError)
    })
  }

  it('refuses text that is nested too deep, and only that', () => {
    for (const nested of [nestedLists, nestedObjects]) {
      assert.throws(() => parseJson(nested(MAX_DEPTH + 1, '1')), SyntaxError)
      assert.throws(() => parseJson(nested(200_000, '1.10')), SyntaxError)
      insideFrames(200, () => {
        const value = parseJson(nested(MAX_DEPTH, '1.10'))
        assert.equal(writeJson(value), nested(MAX_DEPTH, '1.10'))
        assert.ok(writeJson(value, 2).length > 2 * MAX_DEPTH)
      })
    }
  })

  it('does not count brackets inside texts as nesting', () => {
    const text = JSON.stringify(['['.repeat(5000), '\\"{'.repeat(5000)])
    assert.deepEqual(parseJson(text), JSON.parse(text))
  })

  it('accepts any number of values side by side', () => {
    const text = `[${'[1],'.repeat(5000)}1.10]`
    assert.equal(writeJson(parseJson(text)), text)
  })
})

describe('ExactNumber', () => {
  it('prints its digits and computes with its value', () => {
    const number = new ExactNumber('1.10')
    assert.equal(`${number}`, '1.10')
    assert.equal(Number(number), 1.1)
    assert.equal(JSON.stringify({ number }), '{"number":1.10}')
  })

  for (const source of ['', 'abc', '"1"', '[1]', '1 ', '01', 'NaN']) {
    it(`refuses ${JSON.stringify(source)}`, () => {
      assert.throws(() => new ExactNumber(source), TypeError)
    })
  }
})

describe('writeJson', () => {
  it('prints what has no JSON form as null', () => {
    assert.equal(writeJson(undefined), 'null')
    assert.equal(
      writeJson(() => 1),
      'null'
    )
    assert.equal(writeJson(Symbol('a')), 'null')
    assert.equal(writeJson(Number.NaN), 'null')
  })

  it('prints bigints as integers, also beside exact numbers', () => {
    assert.equal(writeJson(12345678901234567890n), '12345678901234567890')
    assert.equal(writeJson({ a: [1n], b: new ExactNumber('1.10') }), '{"a":[1],"b":1.10}')
  })

  it('indents', () => {
    assert.equal(writeJson({ a: new ExactNumber('1.0') }, 2), '{\n  "a": 1.0\n}')
  })

  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic
  let endless: unknown[] = []
  for (let depth = 0; depth < 100_000; depth++) endless = [endless]
  const hostileError = Object.defineProperty(new Error(), 'message', { get: () => assert.fail('read') })
  const refused: [string, unknown, RegExp][] = [
    ['a cycle', cyclic, /contains itself/],
    ['a value that is too deep for the stack', endless, /deeper than 1000 levels/],
    ['a value that could not be read back', JSON.parse(nestedLists(MAX_DEPTH + 1, '1')), /deeper than 1000/],
    ['a toJSON that throws', { toJSON: () => assert.fail('no') }, /reading it failed with "no"/],
    ['a toJSON that throws a text', { toJSON: () => throwIt('a text') }, /reading it failed/],
    ['an error that cannot be read', { toJSON: () => throwIt(hostileError) }, /reading it failed$/],
    ['a getter that throws null', Object.defineProperty({}, 'a', throwingGetter()), /reading it failed$/]
  ]
  for (const [name, value, message] of refused) {
    it(`refuses ${name} with a TypeError`, () => {
      assert.throws(
        () => writeJson(value),
        (error) => error instanceof TypeError && message.test(error.message)
      )
    })
  }
})

function throwIt(error: unknown): never {
  throw error
}

function throwingGetter(): PropertyDescriptor {
  return { enumerable: true, get: () => throwIt(null) }
}

describe('readPayload', () => {
  const bytes = (...values: number[]) => new Uint8Array(values)
  const rows: [string, Uint8Array | string, JsonValue][] = [
    ['an object as it is', '{"id":12345678901234567890}', { id: new ExactNumber('12345678901234567890') }],
    ['a list as it is', '[1,2]', [1, 2]],
    ['a text as it is', '"hi"', 'hi'],
    ['null as it is', 'null', null],
    ['other text under payload', 'hello=1&b=2', { payload: 'hello=1&b=2' }],
    ['an empty body as empty text', '', { payload: '' }],
    ['no bytes as empty text', bytes(), { payload: '' }],
    ['bytes as UTF-8', new TextEncoder().encode('{"a":"\u00e9"}'), { a: '\u00e9' }],
    ['invalid bytes as U+FFFD', bytes(0x61, 0xff, 0x62), { payload: 'a\uFFFDb' }],
    ['invalid bytes inside JSON', bytes(0x22, 0xff, 0x22), '\uFFFD'],
    ['bytes without their BOM', bytes(0xef, 0xbb, 0xbf, 0x31), 1],
    ['text without its BOM', '\uFEFF1', 1],
    ['text that is too deep as text', nestedLists(2000, '1'), { payload: nestedLists(2000, '1') }],
    ['an object of too many members as text', wideObject(100_001), { payload: wideObject(100_001) }],
    ['an object of many members as it is', wideObject(20_001), JSON.parse(wideObject(20_001))],
    [
      'what leaves no room around it as text',
      nestedLists(PAYLOAD_DEPTH + 1, '1'),
      { payload: nestedLists(PAYLOAD_DEPTH + 1, '1') }
    ]
  ]
  for (const [name, body, expected] of rows) {
    it(`takes ${name}`, () => {
      assert.deepEqual(readPayload(body), expected)
    })
  }

  it('takes no payload that could not be shown as an output of a step of a run', () => {
    const input = readPayload(nestedLists(PAYLOAD_DEPTH, '1'))
    assert.ok(Array.isArray(input))
    assert.ok(writeJson({ input, steps: [{ outputs: { data: input } }] }))
  })
})

describe('isPlainObject', () => {
  it('is true for objects only', () => {
    assert.ok(isPlainObject({}))
    assert.ok(isPlainObject(Object.create(null)))
    for (const value of [null, [], 'a', 1, true, undefined, new ExactNumber('1.0')])
      assert.ok(!isPlainObject(value))
  })
})
