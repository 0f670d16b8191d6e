import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type JsonValue, parseJson, StepError } from '../../plugin-api.ts'
import { compileExpression, expressionFault } from './expression.ts'

const DATA = parseJson('{"total":10.5,"n":3,"list":[1,2,3],"name":"Ann","none":null,"id":900719925474099312}')

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
    'data.id == 900719925474099312 && data.id != 900719925474099311'
  ]
  for (const text of TRUE) it(`is true: ${text}`, () => assert.equal(evaluated(text), true))

  const FAULTS: [text: string, column: number, message: RegExp][] = [
    ['', 1, /It is empty/],
    ['data.total >', 13, /ends before it is complete/],
    ['data.total > > 1', 14, /^Unexpected token/],
    ['data.total = 1', 12, /Write ==/],
    ['other == 1', 1, /no "other" here.*data\.other/],
    ['data.name.matches("(a+)+$")', 1, /matches\(\) cannot be used/],
    ['data.list.all(x, x.name.matches("a"))', 18, /matches\(\) cannot be used/],
    [`${'data.list.all(x, '.repeat(4)}true${')'.repeat(4)}`, 1, /3 loops/]
  ]
  for (const [text, column, message] of FAULTS) {
    it(`is refused: ${text}`, () => {
      const fault = expressionFault('expression', text)
      assert.match(fault!.message, message)
      assert.deepEqual([fault!.field, fault!.line, fault!.column], ['expression', 1, column])
    })
  }

  it('tells what to do about a key that is not there', () => {
    const error = failure('data.missing == 1')
    assert.equal(error.code, 'expression_failed')
    assert.match(error.message, /No such key: missing.*has\(.*\.\?missing/)
  })

  it('is not begun where lists would keep everybody waiting', () => {
    const data = { list: new Array(2_000).fill(1) }
    assert.equal(evaluated('data.list.all(x, x == 1)', data), true)
    assert.equal(failure('data.list.all(x, data.list.all(y, x == y))', data).code, 'expression_too_costly')
  })

  it('reaches nothing but the data', () => {
    for (const text of ['data.constructor', 'data.__proto__', 'data.list.length'])
      assert.equal(failure(text).code, 'expression_failed', text)
  })
})
