import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ConditionRow, Operand } from '../../../../src/components/expression/conditions/condition.ts'
import { writeCondition } from '../../../../src/components/expression/conditions/write-condition.ts'
import {
  addGroup,
  addRow,
  asGroup,
  asKind,
  fullTime,
  movePart,
  withOperator,
  withPart
} from './change-group.ts'
import { conditionPaths } from './condition-paths.ts'
import { pathOperand, pathOperandText } from './path-operand.ts'

const ROOTS = ['data', 'nodes', 'run', 'now']
const row = (left: string, text: string): ConditionRow => ({
  kind: 'row',
  left: pathOperand(left, ROOTS)!,
  operator: 'equals',
  right: { kind: 'text', text }
})

describe('rows of a condition', () => {
  it('name values as templates do', () => {
    const rows: [text: string, root: string, keys: readonly (string | number)[]][] = [
      ['total', 'data', ['total']],
      ['items[0].sku', 'data', ['items', 0, 'sku']],
      ['[order.id].a', 'data', ['order.id', 'a']],
      ['$data', 'data', []],
      ['$now', 'now', []],
      ['$nodes.parser-1.parsed_text', 'nodes', ['parser-1', 'parsed_text']]
    ]
    for (const [text, root, keys] of rows) {
      const operand = pathOperand(text, ROOTS)
      assert.deepEqual(operand, { kind: 'path', root, keys })
      assert.equal(pathOperandText(operand!), text)
    }
    for (const text of ['', 'a..b', 'a?', 'a:x', '{a}', '$other', 'a}b{c'])
      assert.equal(pathOperand(text, ROOTS), undefined, text)
    assert.equal(pathOperandText({ kind: 'path', root: 'data', keys: ['a', ']['] }), undefined)
  })

  it('are added, moved and grouped, and those that are not filled in are not written', () => {
    const begun = addGroup(addRow(asGroup(row('a', 'x'))))
    assert.equal(writeCondition(begun), 'data.a == "x"')
    const filled = withPart(begun, 1, row('b', 'y'))
    const moved = movePart(movePart(filled, 1, -1), 0, -1)
    assert.equal(writeCondition(moved), 'data.b == "y" && data.a == "x"')
    const inner = filled.parts[2]
    assert.ok(inner?.kind === 'group' && inner.join === 'or')
    assert.equal(writeCondition(asGroup(undefined)), '')
  })

  it('keep what was typed when the operator or the kind of a value changes', () => {
    const ordered = withOperator(row('a', '12'), 'is at least')
    assert.deepEqual(ordered.right, { kind: 'number', number: 12 })
    assert.equal(withOperator(ordered, 'is empty').right, undefined)
    const kinds: [Operand, Operand['kind'], Operand][] = [
      [{ kind: 'text', text: 'a.b' }, 'path', { kind: 'path', root: 'data', keys: ['a', 'b'] }],
      [{ kind: 'number', number: 5 }, 'text', { kind: 'text', text: '5' }],
      [{ kind: 'text', text: 'x' }, 'number', { kind: 'number', number: 0 }],
      [{ kind: 'boolean', is: false }, 'boolean', { kind: 'boolean', is: false }],
      [{ kind: 'text', text: 'soon' }, 'time', { kind: 'time', text: '' }]
    ]
    for (const [operand, kind, given] of kinds)
      assert.deepEqual(asKind(operand, kind, ROOTS, pathOperand), given)
    for (const [typed, full] of [
      ['2026-11-17', '2026-11-17T00:00:00Z'],
      ['2026-11-17T09:00', '2026-11-17T09:00:00Z'],
      ['2026-11-17T09:00:00+01:00', '2026-11-17T09:00:00+01:00'],
      ['2026-13-01', undefined],
      ['tomorrow', undefined]
    ] as const)
      assert.equal(fullTime(typed), full)
  })

  it('offer what came last', () => {
    const variables = { nodes: { 'a-1': { data: { id: 1 } } }, run: { id: 'r' } }
    const declared = { keys: { id: null }, variables: { nodes: { 'b-1': { text: null } }, now: null } }
    assert.deepEqual(conditionPaths({ total: 1, to: { name: 'Ann' } }, variables, ROOTS, declared), [
      'total',
      'to',
      'to.name',
      '$data',
      '$nodes.b-1.text',
      '$nodes.a-1.data',
      '$nodes.a-1.data.id',
      '$run.id',
      '$now'
    ])
    assert.equal(conditionPaths(undefined, {}, ROOTS, declared)[0], 'id')
  })
})
