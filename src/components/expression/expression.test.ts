import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type JsonValue, parseJson, StepError } from '../../plugin-api.ts'
import { compareValues } from './compare-values.ts'
import { OPERATORS } from './compare-words.ts'
import { compileExpression, expressionFault } from './expression.ts'

const DATA = parseJson(
  '{"total":10.5,"n":3,"list":[1,2,3],"name":"Ann","none":null,"id":900719925474099312,"inner":{"a":1,"c":{}},"deep":{"x-y":{"z":null}},"rows":[{},{"k":1}]}'
)

const evaluated = (text: string, data: JsonValue = DATA) => compileExpression(text).evaluate(data)

function failure(text: string, data: JsonValue = DATA): StepError {
  try {
    evaluated(text, data)
  } catch (error) {
    assert.ok(error instanceof StepError)
    return error
  }
  return assert.fail(`${text} did not fail`)
}

describe('an expression', () => {
  const TRUE = [
    'data.total > 10',
    'data.total + 1 == 11.5 && 1 - data.total < 0',
    'data.n * 2 == 6 && data.n / 2 == 1.5 && data.n % 2 == 1',
    'data.n in [1, 2, 3] && 3 in data.list',
    'data.list.exists(x, x > 2) && size(data.list) == 3',
    'data.none == null && !has(data.missing) && data.?missing.orValue(true)',
    'data.name.startsWith("A") && data["name"].contains("nn")',
    'data.name.matches("^A") && !data.name.matches("^n$") && data.name.matches("A" + "n+")',
    'data.list.filter(x, string(x).matches("[23]")).size() == 2',
    'data.id == 900719925474099312 && data.id != 900719925474099311',
    'compare(data.n, "equals", "3.0") && compare(data.?missing.key, "is empty") && compare(data.list, "contains", 2)',
    'has(data["inner"].a) && !has(data["inner"]["c"].d) && !has(data["inner"].b)',
    'has(data["deep"]["x-y"].z) && has(data.deep["x-y"].z) && has(data["rows"][1].k) && !has(data["rows"][0].k)',
    'compare(data.name, "matches", "^A") && !compare(data.name, "starts with", "a") && compare("TRUE", "is true")',
    '"12" > data.total && data.list[0] <= "1" && "2026-01-01" < timestamp("2026-01-01T00:00:01Z")',
    'compare("2026-01-01T01:00:00+01:00", "is at most", timestamp("2026-01-01T00:00:00Z"))'
  ]
  for (const text of TRUE) it(`is true: ${text}`, () => assert.equal(evaluated(text), true))

  const FAULTS: [text: string, column: number, message: RegExp][] = [
    ['', 1, /It is empty/],
    ['data.total >', 13, /ends before it is complete/],
    ['data.total > > 1', 14, /^Unexpected token/],
    ['data.total = 1', 12, /Write ==/],
    ['other == 1', 1, /no "other" here.*data\.other/],
    ['has(data)', 5, /asks whether a key is there/],
    ['nodes.x.true.total == 1', 9, /in brackets, such as nodes\["if-else-1"\]\["true"\]/],
    ['data.null == 1', 6, /in brackets/],
    ['data.in == 1', 6, /in brackets/],
    ['data.n > 1 && compare(data.n, "is more than", 1)', 15, /one of the operators "equals"/],
    ['compare(data.n, "equals")', 1, /"equals" takes three things/],
    ['compare(data.n, "matches", "(?=a)")', 1, /not a pattern that can be used/],
    ['data.name.matches("(?=a)")', 1, /not a pattern that can be used/],
    ['data.list.all(x, x.name.matches("("))', 18, /not a pattern that can be used/],
    [`${'data.list.all(x, '.repeat(4)}true${')'.repeat(4)}`, 1, /3 loops/]
  ]
  for (const [text, column, message] of FAULTS) {
    it(`is refused: ${text}`, () => {
      const fault = expressionFault('expression', text)
      assert.match(fault!.message, message)
      assert.deepEqual([fault!.field, fault!.line, fault!.column], ['expression', 1, column])
    })
  }

  it('asks for patterns of texts alone, and in bounded time', () => {
    assert.equal(failure('data.n.matches("3")').code, 'expression_failed')
    assert.equal(evaluated('data.text.matches("(a+)+$")', { text: `${'a'.repeat(10_000)}b` }), false)
  })

  it('tells what to do about a key that is not there', () => {
    const error = failure('data.missing == 1')
    assert.equal(error.code, 'expression_failed')
    assert.match(error.message, /No such key: missing.*has\(.*\.\?missing/)
  })

  it('compares as the mode Compare does, and fails where that fails', () => {
    assert.equal(failure('data.name > 5').code, 'not_comparable')
    assert.match(failure('compare(data.list, "is at least", 5)').message, /neither a number nor a date/)
    const outcome = (compute: () => boolean) => {
      try {
        return compute()
      } catch (error) {
        return (error as StepError).code
      }
    }
    const value = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>
    const side = fc.oneof(
      value,
      fc.constantFrom<JsonValue>('12', 12, '1e1', 10, '2026-01-01', 'true', '', null)
    )
    fc.assert(
      fc.property(side, fc.constantFrom(...OPERATORS), side, (left, operator, right) => {
        const text = `compare(data.left, "${operator}", data.right)`
        assert.deepEqual(
          outcome(() => compileExpression(text).evaluate({ left, right }) as boolean),
          outcome(() => compareValues(left, operator, right))
        )
      })
    )
  })

  it('is not begun where lists would keep everybody waiting', () => {
    const data = { list: new Array(2_000).fill(1) }
    assert.equal(evaluated('data.list.all(x, x == 1)', data), true)
    assert.equal(failure('data.list.all(x, data.list.all(y, x == y))', data).code, 'expression_too_costly')
  })

  const LIST = Array.from({ length: 30_000 }, (_, at) => at)
  const LONG = 'a'.repeat(100_000)
  const WIDE = Object.fromEntries(LIST.map((at) => [`k${at}`, at]))
  const COSTLY: [text: string, data?: JsonValue][] = [
    [`["a"]${'.map(a, a + a)'.repeat(32)} == []`],
    [`[[1]]${'.map(a, a + a)'.repeat(32)} == []`],
    [
      `[1]${'.map(a, [[a, a, a, a, a, a, a, a]])'.repeat(24)} == [1]${'.map(a, [[a, a, a, a, a, a, a, a]])'.repeat(24)}`
    ],
    [`[${'1,'.repeat(300)}1].all(a, [${'1,'.repeat(300)}1].all(b, [1, 2, 3].all(c, a > 0)))`],
    ['1 / 0 == 1 || data.list.all(x, data.list.all(y, true))', { list: LIST }],
    ['data.list.all(x, data.list.all(y, true)) || true', { list: LIST }],
    ['data.list.all(x, x in data.list)', { list: LIST }],
    ['data.list.all(x, size(data.text) > 1)', { list: LIST, text: LONG }],
    ['data.list.all(x, !("no" in data.wide) && size(data.wide) > 1)', { list: LIST, wide: WIDE }],
    ['data.text.indexOf(data.part) < 0', { text: LONG + LONG, part: `${LONG}b` }],
    ['data.text.split("").map(x, [x, x]).size() > 1', { text: LONG }],
    ['data.list.map(x, data.text).join(data.text) == ""', { list: LIST, text: LONG }],
    ['duration(data.text) > duration("1s")', { text: '1'.repeat(10_000) }],
    ['data.list.all(x, timestamp(0).getHours("Europe/Berlin") > 0)', { list: LIST }],
    [
      'data.list.all(x, compare(data.text, "contains", "b") == compare(data.list, "contains", "b"))',
      { list: LIST, text: LONG }
    ],
    ['data.list.all(x, !compare(data.text, "matches", "b$"))', { list: LIST, text: LONG }],
    ['data.list.all(x, !compare("a", "matches", string(x) + "x{500}"))', { list: LIST }],
    ['data.list.all(x, !data.text.matches("b$"))', { list: LIST, text: LONG }],
    ['data.list.all(x, !"a".matches(string(x) + "x{500}"))', { list: LIST }],
    ['data.list.all(x, data.text > 5)', { list: LIST, text: `${' '.repeat(100_000)}7` }],
    ['data.one == data.other', { one: LIST.map((at) => [at, at]), other: LIST.map((at) => [at, at]) }]
  ]
  for (const [text, data] of COSTLY)
    it(`ends after so many steps: ${text.slice(0, 60)}`, () =>
      assert.equal(failure(text, data).code, 'expression_too_costly'))

  it('reads no more of the data than it looks at', () => {
    const data = parseJson(`{"n":1.10,"big":[${'1.10,'.repeat(1_000)}1]}`)
    const expression = compileExpression('data.n == 1.1 && data.big[7] < 2')
    assert.equal(expression.evaluate(data), true)
    assert.ok(expression.spent < 20, String(expression.spent))
  })

  it('compares exact numbers wherever they are', () => {
    const data = parseJson(
      '{"a":[1.10,{"b":900719925474099312}],"c":[1.1,{"b":900719925474099312}],"d":1.10}'
    )
    for (const text of [
      'data.a == data.c',
      'data.d in data.a && 1.1 in data.a && data.a[1] in data.c',
      'data.a.exists(x, x == 1.1)',
      'data.?d.orValue(0.0) + 1 == 2.1 && has(data.d) && type(data.d) == double',
      '[data.d, 1.0].map(x, x * 2)[0] == 2.2 && {"k": data.d}.k == 1.1',
      '(data.a + data.c).size() == 4 && (data.a + data.c)[2] == 1.1'
    ])
      assert.equal(evaluated(text, data), true, text)
    assert.equal(evaluated('data > 1', parseJson('1.10')), true)
  })

  it('asks whether a node gave something, whatever its id is, and whether or not it was skipped', () => {
    const nodes = { 'parser-1': { parsed_text: 'x' }, silent: {} }
    const asked = (text: string) => compileExpression(text, ['nodes']).evaluate({}, { nodes })
    const given = ['has(nodes["parser-1"].parsed_text)', 'has(nodes["parser-1"].other)']
    const absent = ['has(nodes["silent"]["true"])', 'has(nodes["skipped"].data.total)']
    assert.deepEqual([...given, ...absent].map(asked), [true, false, false, false])
    assert.throws(() => asked('has(nodes["parser-1"].other.total)'), /No such key: other/)
  })

  it('is not misled by a key of the data that is called "constructor"', () => {
    const data = parseJson(
      '{"constructor":1,"a":{"constructor":{"name":"Map"},"x":1},"list":[{"constructor":null,"x":1}]}'
    )
    for (const text of [
      'data.a.x == 1 && size(data) == 2 && has(data["a"].x) && has(data.a.x)',
      'data.list.exists(each, each.x == 1) && data.list.map(each, each.x) == [1]',
      'data.a == {"x": 1} && data.list[0] in data.list && data.list == [{"x": 1}]',
      'compare(data.a, "is not empty") && type(data.a) == map'
    ])
      assert.equal(evaluated(text, data), true, text)
  })

  it('reaches nothing but the data', () => {
    for (const text of ['data.constructor', 'data.__proto__', 'data.list.length'])
      assert.equal(failure(text).code, 'expression_failed', text)
  })

  it('is told to be too deep, in words, where it is', () => {
    for (const sign of ['!', '(', '[', '-', '!(']) {
      const fault = expressionFault('expression', `${sign.repeat(400_000)}true`)
      assert.equal(fault?.message, 'It is nested deeper than 50 levels. Use fewer.', sign)
    }
    assert.equal(expressionFault('e', '1+'.repeat(2_000))?.message, 'It has more than 1000 parts. Use fewer.')
  })
})
