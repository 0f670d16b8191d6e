import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { JsonValue, StepError } from '../../../plugin-api.ts'
import { compareValues, type Side } from '../compare-values.ts'
import { ONE_SIDED, OPERATORS } from '../compare-words.ts'
import { compileExpression } from '../expression.ts'
import { type Condition, type ConditionRow, flatCondition, type Operand } from './condition.ts'
import { readCondition } from './read-condition.ts'
import { writeCondition } from './write-condition.ts'

const ROOTS = ['data', 'nodes', 'index']

const read = (source: string): Condition =>
  readCondition(compileExpression(source, ROOTS.slice(1)).ast, source, ROOTS)

/** As literals are. */
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { noNullPrototype: true }) as unknown as fc.Arbitrary<T>

const text = fc.string({ unit: 'grapheme', maxLength: 8 })
const constant: fc.Arbitrary<Operand> = fc.oneof(
  record({
    kind: fc.constant('text' as const),
    text: fc.oneof(text, fc.constantFrom('paid', '12', 'true', '[1]'))
  }),
  record({
    kind: fc.constant('number' as const),
    number: fc
      .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
      .map((number) => number + 0)
  }),
  record({ kind: fc.constant('boolean' as const), is: fc.boolean() }),
  record({
    kind: fc.constant('time' as const),
    text: fc.constantFrom('2026-11-17T09:00:00Z', '2020-01-01T00:00:00+01:00')
  })
)
const path: fc.Arbitrary<Operand> = record({
  kind: fc.constant('path' as const),
  root: fc.constantFrom(...ROOTS),
  keys: fc.array(fc.oneof(text, fc.nat({ max: 99 }), fc.constantFrom('in', 'total', 'order id')), {
    maxLength: 3
  })
})
const row: fc.Arbitrary<ConditionRow> = fc
  .tuple(path, fc.constantFrom(...OPERATORS), fc.oneof(path, constant))
  .map(([left, operator, right]) => ({
    kind: 'row',
    left,
    operator,
    right: ONE_SIDED.includes(operator) ? undefined : right
  }))
const conditions = fc.letrec<{ any: Condition; group: Condition }>((tie) => ({
  any: fc.oneof({ maxDepth: 3 }, row, tie('group')),
  group: record({
    kind: fc.constant('group' as const),
    join: fc.constantFrom('and' as const, 'or' as const),
    parts: fc.array(tie('any'), { minLength: 1, maxLength: 4 })
  })
})).any

/** Without the text that rows were read from, which those that are made have not. */
function untouched(condition: Condition): Condition {
  if (condition.kind === 'group') return { ...condition, parts: condition.parts.map(untouched) }
  return condition.kind === 'row' ? { ...condition, written: undefined } : condition
}

describe('conditions as rows', () => {
  it('are read as they were written, and written as they were read', () => {
    fc.assert(
      fc.property(conditions, (condition) => {
        const source = writeCondition(condition)
        const again = read(source)
        assert.deepEqual(untouched(again), untouched(flatCondition(condition)))
        assert.equal(writeCondition(again), source)
        assert.equal(writeCondition(untouched(again)), source)
      })
    )
  })

  it('mean what the mode Compare means, of every value', () => {
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>,
      fc.constantFrom<Side>('12', 12, '1e1', '2026-11-17', 'paid', 'True', '', null, undefined)
    )
    const outcome = (compute: () => unknown) => {
      try {
        return compute()
      } catch (error) {
        assert.match((error as StepError).code, /not_comparable|expression_failed|pattern_invalid/)
        return 'fails'
      }
    }
    fc.assert(
      fc.property(value, fc.constantFrom(...OPERATORS), constant, (left, operator, right) => {
        const isOfLeft = ONE_SIDED.includes(operator)
        const source = writeCondition({
          kind: 'row',
          left: { kind: 'path', root: 'data', keys: ['key'] },
          operator,
          right: isOfLeft ? undefined : right
        })
        const isRefused = outcome(() => compareValues('', operator, plain(right))) === 'fails'
        // A pattern that is none is a fault of the flow.
        if (operator === 'matches' && isRefused) return
        const mustBeThere = left === undefined && !operator.endsWith('empty')
        assert.equal(
          outcome(() => compileExpression(source).evaluate(left === undefined ? {} : { key: left })),
          mustBeThere ? 'fails' : outcome(() => compareValues(left, operator, plain(right))),
          source
        )
      }),
      { numRuns: 500 }
    )
  })

  const READ: [source: string, rows: string][] = [
    [
      'data.total > 100 && data.country == "DE"',
      '(data.total is greater than 100 and data.country equals "DE")'
    ],
    ['100 <= data["order id"] || !data.paid', '(data.order id is at least 100 or data.paid is false)'],
    [
      'data.a == 1 && (data.b || data.c) && has(data.d)',
      '(data.a equals 1 and (data.b is true or data.c is true) and has(data.d))'
    ],
    ['!data.name.contains("x")', 'data.name does not contain "x"'],
    ['data.sku in nodes["list-1"].data.skus', 'nodes.list-1.data.skus contains data.sku'],
    ['compare(data.?a.?b[?0], "is not empty")', 'data.a.b.0 is not empty'],
    ['data.at < timestamp("2026-01-01T00:00:00Z")', 'data.at is less than 2026-01-01T00:00:00Z'],
    ['index == -1 ? true : data.x', 'index == -1 ? true : data.x'],
    ['data.list.exists(x, x > 1)', 'data.list.exists(x, x > 1)'],
    ['!(data.paid) && data.a', '(data.paid is false and data.a is true)'],
    [
      '!(compare(data.a, "starts with", ")")) || (data.b).contains("(")',
      '(!(compare(data.a, "starts with", ")")) or data.b contains "(")'
    ],
    ['!(-((data.a)) < 1) && ((data.b)).size() > 1', '(!(-((data.a)) < 1) and ((data.b)).size() > 1)']
  ]
  for (const [source, rows] of READ)
    it(`are read: ${source}`, () => {
      assert.equal(shown(read(source)), rows)
      assert.equal(writeCondition(read(source)), source)
    })

  it('keep a part that was written within its brackets', () => {
    const parts: Condition[] = [
      { kind: 'written', text: 'data.a || data.b // either', why: '' },
      { kind: 'written', text: ' ', why: '' },
      { kind: 'written', text: 'has(data.c)', why: '' }
    ]
    const source = writeCondition({ kind: 'group', join: 'and', parts })
    assert.equal(source, '(data.a || data.b // either\n) && has(data.c)')
    assert.equal(compileExpression(source).evaluate({ a: false, b: true, c: 1 }), true)
  })
})

function plain(operand: Operand): JsonValue {
  if (operand.kind === 'number') return operand.number
  if (operand.kind === 'boolean') return operand.is
  if (operand.kind === 'time') return new Date(operand.text).toISOString()
  return operand.kind === 'text' ? operand.text : null
}

function shown(condition: Condition): string {
  if (condition.kind === 'written') return condition.text
  if (condition.kind === 'group') return `(${condition.parts.map(shown).join(` ${condition.join} `)})`
  const right = condition.right === undefined ? '' : ` ${side(condition.right)}`
  return `${side(condition.left)} ${condition.operator}${right}`
}

function side(operand: Operand): string {
  if (operand.kind === 'path') return [operand.root, ...operand.keys].join('.')
  return operand.kind === 'text' ? `"${operand.text}"` : String(plain(operand)).replace('.000Z', 'Z')
}
