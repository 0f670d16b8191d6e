import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { templateFault } from '../../../../src/flows/template/template-fault.ts'
import { templateProblems, templateTokens } from './template-tokens.ts'

const shown = (source: string) =>
  templateTokens(source)
    .filter(({ kind }) => kind !== 'text' && kind !== 'brace')
    .map(({ kind, from, to }) => `${kind}: ${source.slice(from, to)}`)

const anyTemplate = fc
  .array(
    fc.constantFrom(
      '{',
      '}',
      '{{',
      '[',
      ']',
      '.',
      ':',
      '?',
      'a',
      '$',
      ' ',
      '\n',
      '.2f',
      '>10',
      '{a}',
      '{a:,?x}',
      '😀'
    )
  )
  .map((parts) => parts.join(''))

describe('the tokens of a template', () => {
  const rows: [source: string, ...expected: string[]][] = [
    ['Dear {user.name},', 'variable: user.name'],
    ['{{x}} {y}', 'escaped brace: {{', 'escaped brace: }}', 'variable: y'],
    ['{ items[0].sku }', 'variable: items[0].sku'],
    ['{total:.2f}', 'variable: total', 'format: :.2f'],
    ['{total : .2f}', 'variable: total', 'format: : .2f'],
    ['{total:.2f ?n/a}', 'variable: total', 'format: :.2f', 'fallback: ?n/a'],
    ['{total?:.2f}', 'variable: total', 'fallback: ?', 'format: :.2f'],
    ['{name?}', 'variable: name', 'fallback: ?'],
    ['{name?a: b?c}', 'variable: name', 'fallback: ?a: b?c'],
    ['{name:?<10}', 'variable: name', 'format: :?<10'],
    ['{name:?<none>}', 'variable: name', 'format: :', 'fallback: ?<none>'],
    ['{$region}', 'context variable: $region'],
    ['{[$region]}', 'variable: [$region]'],
    ['{[a:b?c]?d}', 'variable: [a:b?c]', 'fallback: ?d'],
    ['{a} { {b}', 'variable: a', 'error: { ', 'variable: b'],
    ['a } b', 'error: }']
  ]
  for (const [source, ...expected] of rows) {
    it(`are found in ${source}`, () => assert.deepEqual(shown(source), expected))
  }

  it('leave no gap and do not overlap', () => {
    fc.assert(
      fc.property(anyTemplate, (source) => {
        const tokens = templateTokens(source)
        assert.equal(tokens.map(({ from, to }) => source.slice(from, to)).join(''), source)
        assert.ok(tokens.every(({ from, to }) => from < to))
        assert.ok(tokens.every(({ from }, index) => from === (tokens[index - 1]?.to ?? 0)))
      }),
      { numRuns: 1000 }
    )
  })
})

describe('the problems of a template', () => {
  it('have a place to underline, within a line', () => {
    assert.deepEqual(
      templateProblems('ok\n😀 {a\nb').map(({ from, to, line, column }) => [from, to, line, column]),
      [[6, 8, 2, 3]]
    )
    const [problem] = templateProblems('{a..b}')
    assert.deepEqual([problem?.from, problem?.column], [2, 3])
    assert.match(problem?.message ?? '', /dot.*no name beside it/)
  })

  it('begin with the one that the service names, at its very place', () => {
    fc.assert(
      fc.property(anyTemplate, (source) => {
        const [first] = templateProblems(source)
        const fault = templateFault(source)
        assert.equal(first?.message, fault?.message)
        if (first === undefined) return
        const before = source.slice(0, first.from)
        assert.equal(before.split('\n').length, fault?.line)
        assert.equal([...before.slice(before.lastIndexOf('\n') + 1)].length + 1, fault?.column)
      }),
      { numRuns: 1000 }
    )
  })
})
