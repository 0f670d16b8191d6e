import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type JsonValue, parseJson } from '../../plugin-api.ts'
import { compileColumnCondition } from './column-condition.ts'
import { compileExpression } from './expression.ts'
import { ASK, NO, YES } from './verdicts.ts'

function judge(text: string, rows: readonly JsonValue[]): number[] | undefined {
  const verdicts = compileColumnCondition(compileExpression(text).ast, ['data'])?.(rows)
  return verdicts && [...verdicts]
}

const operand = fc.constantFrom(
  'data.a',
  'data.b.c',
  'data["b"].c',
  '1',
  '-2',
  '0.5',
  '"x"',
  '"yz"',
  'data.a + 1',
  'data.a * data.b.c',
  'data.a / 2'
)
const leaf = fc.oneof(
  fc
    .tuple(operand, fc.constantFrom('<', '<=', '>', '>=', '==', '!='), operand)
    .map((parts) => parts.join(' ')),
  fc.constantFrom(
    'data.a',
    'data.b.c',
    'data.a in ["x", "yz"]',
    'data.a in [1, -2, 0.5]',
    'data.a.startsWith("y")',
    'data.b.c.contains("z")',
    'data.a.endsWith("z")'
  )
)
const condition = fc.oneof(
  leaf,
  fc
    .tuple(leaf, fc.constantFrom('&&', '||'), leaf, fc.boolean())
    .map(([one, sign, other, isNot]) => `${isNot ? '!' : ''}(${one} ${sign} ${other})`)
)
const value = fc.constantFrom(
  'x',
  'yz',
  '',
  0,
  1,
  -2,
  0.5,
  true,
  false,
  null,
  parseJson('90071992547409931'),
  ['x'],
  { c: 1 }
)
const row = fc.oneof(
  fc.record({ a: value, b: fc.oneof(fc.record({ c: value }), value) }, { requiredKeys: [] }),
  value
) as fc.Arbitrary<JsonValue>

describe('a condition over columns', () => {
  it('judges as CEL does, or leaves it to CEL', () => {
    fc.assert(
      fc.property(condition, fc.array(row, { maxLength: 5 }), (text, rows) => {
        const judged = isSound(text) ? judge(text, rows) : undefined
        for (const [at, verdict] of (judged ?? []).entries()) {
          if (verdict === ASK) continue
          assert.equal(
            compileExpression(text).evaluate(rows[at]!),
            verdict === YES,
            `${text} of ${JSON.stringify(rows[at])}`
          )
        }
      }),
      { numRuns: 300 }
    )
  })

  it('knows what is sure, and asks of what is not', () => {
    const rows: JsonValue[] = [
      { a: 3, b: { c: 'x' } },
      { a: 1, b: { c: 'x' } },
      { a: '3', b: { c: 'x' } },
      {},
      7
    ]
    assert.deepEqual(judge('data.a > 2 && data.b.c == "x"', rows), [YES, NO, ASK, ASK, ASK])
    assert.deepEqual(judge('!(2 < data.a)', rows), [NO, YES, ASK, ASK, ASK])
  })

  it('leaves what is not simple, or what objects inherit, to CEL', () => {
    for (const text of [
      'data.a > 2 ? true : false',
      'size(data) > 1',
      'data.length > 1',
      'data.constructor == 1',
      '1 / 2 == data.a',
      'data["0"] == 1'
    ])
      assert.equal(judge(text, []), undefined, text)
  })
})

/** CEL refuses some of them, such as 1 == "x", before there is a row. */
function isSound(text: string): boolean {
  try {
    compileExpression(text)
    return true
  } catch {
    return false
  }
}
