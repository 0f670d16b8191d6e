import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ExactNumber, type JsonValue, parseJson } from '../json/exact-json.ts'
import { compileTemplate } from './compile-template.ts'
// Rows of [value as JSON, spec, result], made by CPython 3.11 with `format(json.loads(value), spec)`: a grid
// of typical specs over typical values, then random specs over random values. A result of null means that
// Python refused with a ValueError or OverflowError.
import pythonCases from './python-format-cases.json' with { type: 'json' }

function format(value: JsonValue, spec: string): string {
  return compileTemplate(`{value:${spec}}`).render({ value })
}

describe('Python format specs', () => {
  it('has several hundred cases', () => {
    assert.ok(pythonCases.length > 500)
  })

  for (const [value, spec, expected] of pythonCases as [string, string, string | null][]) {
    it(`format(${value}, ${JSON.stringify(spec)})`, () => {
      if (expected === null) {
        assert.throws(() => format(parseJson(value), spec), { name: 'TemplateError' })
      } else assert.equal(format(parseJson(value), spec), expected)
    })
  }
})

describe('other values', () => {
  const rows: [value: JsonValue, spec: string, expected: string][] = [
    [true, '6', 'true  '],
    [false, '>6', ' false'],
    [true, 's', 'true'],
    [true, '.1', 't'],
    [true, 'd', '1'],
    [false, '03d', '000'],
    [true, 'b', '1'],
    [true, '.1f', '1.0'],
    [true, '%', '100.000000%'],
    [null, '5', '     '],
    [null, '*>5', '*****'],
    [null, '.2f', ''],
    [null, '8.2f', '        '],
    [null, '05d', '     '],
    [null, '+,', ''],
    [null, '=5', '     '],
    [Number.NaN, '5.1f', '     '],
    [[1, 'a'], '10', '[1,"a"]   '],
    [{ a: new ExactNumber('1.10') }, '>12', '  {"a":1.10}'],
    [[1, 2, 3], '.4', '[1,2'],
    [new ExactNumber('1.10'), '', '1.10'],
    [new ExactNumber('1.10'), '5', '  1.1'],
    [new ExactNumber('-0'), 'd', '0'],
    [new ExactNumber('-0'), '.1f', '0.0'],
    [-0, '.1f', '0.0'],
    [1e21, 'g', '1e+21'],
    [1e20, 'd', '100000000000000000000'],
    [new ExactNumber('9'.repeat(400)), ',', `9${',999'.repeat(133)}`]
  ]
  for (const [value, spec, expected] of rows) {
    it(`formats ${String(value).slice(0, 20)} with ${JSON.stringify(spec)}`, () => {
      assert.equal(format(value, spec), expected)
    })
  }
})

describe('a value that does not fit its spec', () => {
  const rows: [value: JsonValue, spec: string, message: RegExp][] = [
    ['abc', '.2f', /text of 3 characters.*"\.2f": "f" is for numbers/],
    ['12', 'd', /text of 2 characters/],
    ['a', '+', /text of 1 character and.*"\+"/],
    ['a', '=5', /alignment "="/],
    ['a', ',', /"," is for numbers/],
    ['a', '#', /"#" is for numbers/],
    [[1, 2], 'd', /a list of 2 and/],
    [{}, '.1f', /an object and/],
    [true, '+', /true or false and/],
    [1.5, 'd', /a number with a decimal point or exponent.*"\.0f"/],
    [1e21, 'x', /a number with a decimal point or exponent/],
    [5, 's', /a whole number.*"s" is for text/],
    [5, '.2', /a whole number.*precision/],
    [new ExactNumber('9'.repeat(400)), '.2f', /too large for "f"/],
    [new ExactNumber('9'.repeat(10_001)), 'x', /at most 10000 digits/]
  ]
  for (const [value, spec, message] of rows) {
    it(`refuses ${String(value).slice(0, 20)} with ${JSON.stringify(spec)}`, () => {
      assert.throws(() => compileTemplate(`ab {user.x:${spec}}`).render({ user: { x: value } }), {
        code: 'template_bad_value',
        variable: 'user.x',
        line: 1,
        column: 4,
        message
      })
    })
  }

  it('does not put the value into the message, for it may be a secret', () => {
    const render = () => compileTemplate('{$key:d}').render({}, { key: 'hunter2' })
    assert.throws(render, (error: Error) => !error.message.includes('hunter2'))
  })
})
