import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { drawn, type Fields, given, result } from './drawn-node.test-kit.ts'

/** Whether a condition holds, by what the node beside an If computes. */
function holds(comparison: object, options: object, x?: unknown): boolean {
  const condition = { leftValue: '={{ $json.x }}', rightValue: '', ...comparison }
  const { nodes } = drawn(
    'if',
    2.2,
    { conditions: { options, combinator: 'and', conditions: [condition] } },
    'return { a: 1 }'
  )
  const values = nodes.find((each) => each.id === 'node-values')
  assert.ok(values !== undefined, 'it is no code')
  return (given(values.fields.code, { x }) as { v1: boolean }).v1
}

describe('a condition of n8n', () => {
  const strict = { version: 2, typeValidation: 'strict', caseSensitive: true }
  const loose = { ...strict, typeValidation: 'loose' }
  const number = (operation: string, rightValue: unknown) => ({
    operator: { type: 'number', operation },
    rightValue
  })
  const boolean = (operation: string) => ({
    operator: { type: 'boolean', operation, singleValue: true }
  })

  it('holds for no number that is missing, and takes null for 0', () => {
    const of = (operation: string, x?: unknown) => holds(number(operation, 5), strict, x)
    assert.deepEqual(
      ['gt', 'lt', 'gte', 'lte'].map((operation) => of(operation)),
      [false, false, false, false]
    )
    assert.deepEqual([of('lt', null), of('gt', null), of('gt', 6), of('lt', 6)], [true, false, true, false])
  })

  it('is false of what is missing, and makes booleans of numbers and words where types are converted', () => {
    assert.equal(holds(boolean('false'), strict), true)
    const words = [1, 'TRUE', 'yes', 0, '0', 'false', '']
    assert.deepEqual(
      words.map((word) => holds(boolean('true'), loose, word)),
      [true, true, true, false, false, false, false]
    )
    const first = { ...loose, version: 1 }
    assert.equal(holds(boolean('true'), first, 'false'), true)
  })

  it('compares texts as texts, lists as JSON, and patterns as they are written', () => {
    const text = (operation: string, rightValue: string) => ({
      operator: { type: 'string', operation },
      rightValue
    })
    assert.equal(holds(text('equals', '5'), strict, '05'), false)
    assert.equal(holds(text('contains', 'ab'), loose, ['xabx']), true)
    const blind = { ...strict, caseSensitive: false }
    assert.equal(holds(text('equals', 'ABC'), blind, 'abc'), true)
    assert.equal(holds(text('regex', '^A'), blind, 'Abc'), false)
  })

  it('compares no time that is missing', () => {
    const time = { operator: { type: 'dateTime', operation: 'notEquals' }, rightValue: '2026-01-02' }
    assert.equal(holds(time, strict), false)
    assert.equal(holds(time, strict, '2026-01-02T00:00:00.000Z'), false)
  })

  it('without types compares by identity, and takes what is missing for 0', () => {
    const of = (operation: string, value2: unknown) => {
      const { nodes } = drawn(
        'if',
        1,
        { conditions: { number: [{ value1: '={{ $json.x }}', operation, value2 }] } },
        'return { a: 1 }'
      )
      return nodes.find((each) => each.id === 'node-values')!.fields.code
    }
    const read = (code: unknown, data: object) => (given(code, data) as { v1: boolean }).v1
    assert.deepEqual(
      [read(of('smaller', 5), {}), read(of('equal', 5), { x: '5' }), read(of('larger', 5), { x: 6 })],
      [true, false, true]
    )
  })

  it('asks a plain text of an If-Else, and says what differs of an empty one', () => {
    const asked = (operation: string, rightValue: string) =>
      drawn(
        'if',
        2.2,
        {
          conditions: {
            options: strict,
            conditions: [{ leftValue: '={{ $json.x }}', rightValue, operator: { type: 'string', operation } }]
          }
        },
        'return { a: 1 }'
      )
    const { nodes, report } = asked('equals', 'open')
    assert.deepEqual(nodes.find(({ id }) => id === 'node')!.fields, {
      left: '{x?}',
      operator: 'equals',
      right: 'open'
    })
    assert.equal(report.verdict, 'exact')
    assert.match(asked('empty', '').report.note, /blanks alone/)
  })

  it('of a Filter of several items holds where any does', () => {
    const conditions = {
      string: [
        { value1: '={{ $json.x }}', value2: 'a' },
        { value1: '={{ $json.x }}', value2: 'b' }
      ]
    }
    const kept = result('filter', 1, { combineConditions: 'OR', conditions }, [
      { x: 'a' },
      { x: 'b' },
      { x: 'c' }
    ])
    assert.deepEqual(kept, [{ x: 'a' }, { x: 'b' }])
  })
})

describe('items of n8n', () => {
  it('are split by the whole name of a field, and keep the others that are asked for', () => {
    const data = { tag: 't', body: { lines: [1, 2] }, other: 'o' }
    const split = (more: object) => result('splitOut', 1, { fieldToSplitOut: 'body.lines', ...more }, data)
    assert.deepEqual(split({}), [{ 'body.lines': 1 }, { 'body.lines': 2 }])
    assert.deepEqual(split({ include: 'allOtherFields', options: { destinationFieldName: 'line' } }), [
      { tag: 't', body: {}, other: 'o', line: 1 },
      { tag: 't', body: {}, other: 'o', line: 2 }
    ])
    assert.deepEqual(split({ include: 'selectedOtherFields', fieldsToInclude: ['tag'] }), [
      { 'body.lines': 1, tag: 't' },
      { 'body.lines': 2, tag: 't' }
    ])
    const both = { a: { x: 1, y: 2 }, b: ['p'] }
    assert.deepEqual(result('splitOut', 1, { fieldToSplitOut: 'a, b' }, both), [{ a: 1, b: 'p' }, { a: 2 }])
  })

  it('are aggregated without those that have none of the fields', () => {
    const data = [{ a: 1, 'b.c': 2 }, { d: 3 }, { a: null }]
    const whole = (more: object) =>
      result('aggregate', 1, { aggregate: 'aggregateAllItemData', ...more }, data)
    assert.deepEqual(whole({ include: 'specifiedFields', fieldsToInclude: ['a'] }), {
      data: [{ a: 1 }, { a: null }]
    })
    assert.deepEqual(whole({ include: 'allFieldsExcept', fieldsToExclude: 'a', destinationFieldName: 'o' }), {
      o: [{ 'b.c': 2 }, { d: 3 }]
    })
    const fields = { fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: 'b.c' }] } }
    assert.deepEqual(result('aggregate', 1, fields, data), { c: [2] })
    assert.deepEqual(result('itemLists', 1, { operation: 'aggregateItems', ...fields }, data), { c: [2] })
  })

  it('are summarized by what is there, under the names of n8n', () => {
    const data = [
      { shop: 'a', 'to tal': 1 },
      { shop: 'a', 'to tal': '' },
      { shop: 'b', 'to tal': 3 },
      { shop: 'b', 'to tal': 'x' }
    ]
    const values = ['sum', 'count', 'countUnique', 'max', 'concatenate'].map((aggregation) => ({
      aggregation,
      field: 'to tal'
    }))
    const parameters = { fieldsToSummarize: { values: values.slice(0, 3) }, fieldsToSplitBy: 'shop' }
    const [a, b] = [
      { sum_to_tal: 1, count_to_tal: 1, unique_count_to_tal: 1 },
      { sum_to_tal: 3, count_to_tal: 2, unique_count_to_tal: 2 }
    ]
    assert.deepEqual(result('summarize', 1.1, parameters, data), [
      { ...a, shop: 'a' },
      { ...b, shop: 'b' }
    ])
    const single = { ...parameters, options: { outputFormat: 'singleItem' } }
    assert.deepEqual(result('summarize', 1.1, single, data), { a, b })
    const text = { fieldsToSummarize: { values: values.slice(3) } }
    assert.deepEqual(result('summarize', 1.1, text, data.slice(0, 3)), {
      max_to_tal: 3,
      concatenated_to_tal: '1,3'
    })
  })

  it('are the same where all but some of their fields are, and keep what was compared', () => {
    const data = [
      { id: 1, at: 'x' },
      { at: 'y', id: 1 },
      { id: 2, at: 'x' }
    ]
    const except = { compare: 'allFieldsExcept', fieldsToExclude: 'at' }
    assert.deepEqual(result('removeDuplicates', 1, except, data), [data[0], data[2]])
    const chosen = {
      compare: 'selectedFields',
      fieldsToCompare: { fields: [{ fieldName: 'id' }] },
      options: { removeOtherFields: true }
    }
    assert.deepEqual(result('removeDuplicates', 1, chosen, data), [{ id: 1 }, { id: 2 }])
  })

  it('of two lists are compared member by member', () => {
    const keys = { mergeByFields: { values: [{ field1: 'id', field2: 'id' }] } }
    const data = [
      [{ id: 1, a: 1, at: 'x' }, { id: 2 }, { id: 3, a: 3 }],
      [
        { id: 1, a: 2, at: 'y' },
        { id: 3, a: 3 }
      ]
    ]
    const compared = (version: number, more: object = {}) =>
      result(
        'compareDatasets',
        version,
        { ...keys, ...more },
        { in_1: data[0], in_2: data[1] },
        'node-compared'
      )
    assert.deepEqual(compared(2.3, { options: { skipFields: 'at' } }), {
      onlyA: [{ id: 2 }],
      same: [{ id: 3, a: 3 }],
      different: [
        {
          keys: { id: 1 },
          same: { id: 1 },
          different: { a: { inputA: 1, inputB: 2 } },
          skipped: { at: { inputA: 'x', inputB: 'y' } }
        }
      ],
      onlyB: []
    })
    assert.deepEqual((compared(2) as { different: unknown }).different, [data[1]![0]])
    assert.deepEqual((compared(2.3, { resolve: 'mix', exceptWhenMix: 'at' }) as Fields).different, [
      { id: 1, a: 1, at: 'y' }
    ])
  })
})

describe('a field that n8n sets', () => {
  const set = (type: string, value: unknown, options = {}) => {
    const assignments = { assignments: [{ name: 'x', type, value }] }
    return result('set', 3.4, { assignments, options }, [{ v: value }])
  }

  it('has the type that is said, or fails, or stays as it is where that is said', () => {
    assert.deepEqual(
      [set('boolean', 'TRUE'), set('number', '7'), set('array', "['a']"), set('object', '{"a":1}')],
      [[{ x: true }], [{ x: 7 }], [{ x: ['a'] }], [{ x: { a: 1 } }]]
    )
    assert.throws(() => set('number', 'seven'), /"seven" is not a number/)
    assert.deepEqual(set('number', 'seven', { ignoreConversionErrors: true }), [{ x: 'seven' }])
    assert.deepEqual(set('array', 'none', { ignoreConversionErrors: true }), [{ x: 'none' }])
  })
})
