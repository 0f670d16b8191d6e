import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type JsonValue, parseJson } from '../../plugin-api.ts'
import { failureOf, runStep } from '../step.test-kit.ts'
import { aggregate } from './aggregate.ts'
import { join } from './join.ts'

const SALES = parseJson(`[
  { "who": "Ann", "at": "Ulm", "total": 0.1, "tag": "a" }, { "who": "Bo", "at": "Ulm", "total": 5, "tag": null },
  { "who": "Ann", "at": "Bonn", "total": 0.2, "tag": "a" }, { "who": "Ann", "at": "Ulm", "total": "12.50" } ]`)

function ran(fields: Record<string, JsonValue>, data: JsonValue = SALES) {
  return runStep(aggregate, { fields, inputs: { data } }).outputs.data
}

const give = (...given: [operation: string, field?: string, as?: string][]) =>
  given.map(([operation, field = '', as = '']) => ({ operation, field, as }))

describe('Aggregate', () => {
  it('counts by itself, in groups in the order in which they came', () => {
    assert.deepEqual(ran({ group_by: ['who'] }), [
      { who: 'Ann', count: 3 },
      { who: 'Bo', count: 1 }
    ])
    assert.deepEqual(ran({}), { count: 4 })
    assert.deepEqual(ran({ group_by: ['at', 'who'] }), [
      { at: 'Ulm', who: 'Ann', count: 2 },
      { at: 'Ulm', who: 'Bo', count: 1 },
      { at: 'Bonn', who: 'Ann', count: 1 }
    ])
  })

  it('sums up as on paper, and gives whatever is asked for', () => {
    const aggregates = give(
      ['sum', 'total'],
      ['average', 'total', 'mean'],
      ['min', 'who'],
      ['max', 'total', 'most']
    )
    assert.deepEqual(ran({ aggregates }, (SALES as JsonValue[]).slice(0, 3)), {
      sum_total: 5.3,
      mean: 5.3 / 3,
      min_who: 'Ann',
      most: 5
    })
    const others = give(
      ['first', 'at'],
      ['last', 'tag'],
      ['list', 'tag'],
      ['unique count', 'who'],
      ['count', 'tag']
    )
    assert.deepEqual(ran({ aggregates: others }), {
      first_at: 'Ulm',
      last_tag: null,
      list_tag: ['a', null, 'a', null],
      unique_count_who: 2,
      count_tag: 2
    })
    assert.deepEqual(ran({ aggregates: give(['sum', 'total']) }), { sum_total: 17.8 })
  })

  it('knows what comes of nothing', () => {
    assert.deepEqual(ran({ aggregates: give(['count'], ['sum', 'x'], ['average', 'x'], ['max', 'x']) }, []), {
      count: 0,
      sum_x: 0,
      average_x: null,
      max_x: null
    })
    assert.deepEqual(ran({ group_by: ['x'] }, []), [])
  })

  it('names the item that cannot be added up', () => {
    const fields = { aggregates: give(['sum', 'at']) }
    const { code, message } = failureOf(aggregate, { fields, inputs: { data: SALES } })
    assert.deepEqual([code, /"at" of item 0 is the text "Ulm"/.test(message)], ['not_a_number', true])
  })

  it('adds up no number that would take years', () => {
    const data = parseJson('[{"total":1e999999999},{"total":2}]')
    const fields = { aggregates: give(['sum', 'total']) }
    assert.equal(failureOf(aggregate, { fields, inputs: { data } }).code, 'not_a_number')
    assert.deepEqual(
      String((ran({ aggregates: give(['max', 'total']) }, data) as { max_total: JsonValue }).max_total),
      '1e999999999'
    )
  })

  it('takes a key that no item has for a slip', () => {
    const failed = (fields: Record<string, JsonValue>) =>
      failureOf(aggregate, { fields, inputs: { data: SALES } }).code
    assert.equal(failed({ group_by: ['customer'] }), 'missing_key')
    assert.equal(failed({ aggregates: give(['sum', 'totl']) }), 'missing_key')
  })

  it('is judged when it is saved', () => {
    const check = (group_by: string[], aggregates: ReturnType<typeof give>) =>
      aggregate.check!({ group_by, aggregates: aggregates as never, path: '' })[0]?.message ?? ''
    assert.match(check([], give(['sum'])), /Value 1: It is empty/)
    assert.match(check(['who'], give(['first', 'x', 'who'])), /called "who"/)
    assert.match(check(['a..'], []), /Key 1/)
    assert.equal(check(['who'], give(['count'], ['sum', 'total'])), '')
  })
})

describe('Join', () => {
  const orders = [
    { id: 1, by: 7 },
    { id: 2, by: '8' },
    { id: 3, by: 9 },
    { id: 4, by: null }
  ]
  const people = [
    { id: 8, name: 'Bo' },
    { id: 7, name: 'Ann' },
    { id: 7, name: 'Anna' },
    { id: 5, name: 'Cy' }
  ]
  const keys = [{ left: 'by', right: 'id' }]
  const joined = (fields: Record<string, JsonValue>, left: JsonValue = orders, right: JsonValue = people) =>
    runStep(join, { fields: { keys, ...fields }, inputs: { left, right } }).outputs.data as Record<
      string,
      JsonValue
    >[]
  const names = (mode: string) => joined({ mode }).map(({ id, name }) => `${id}${name ?? ''}`)

  it('keeps pairs, or what has none as well', () => {
    assert.deepEqual(names('Inner'), ['1Ann', '1Anna', '2Bo'])
    assert.deepEqual(names('Left'), ['1Ann', '1Anna', '2Bo', '3', '4'])
    assert.deepEqual(names('Right'), ['1Ann', '1Anna', '2Bo', '5Cy'])
    assert.deepEqual(names('Outer'), ['1Ann', '1Anna', '2Bo', '3', '4', '5Cy'])
    assert.deepEqual(names('Left only'), ['3', '4'])
  })

  it('keeps both of two members with one name, or one of them', () => {
    assert.deepEqual(joined({})[0], { id: 1, by: 7, right_id: 7, name: 'Ann' })
    assert.deepEqual(joined({ clash: 'Right' })[0], { id: 7, by: 7, name: 'Ann' })
    assert.deepEqual(joined({ clash: 'Left' })[0], { id: 1, by: 7, name: 'Ann' })
    assert.deepEqual(joined({ keys: ['id'] }, [{ id: 1, a: 1 }], [{ id: 1, a: 2 }]), [
      { id: 1, a: 1, right_a: 2 }
    ])
  })

  it('joins by several keys', () => {
    const both = { keys: ['a', 'b'] }
    assert.deepEqual(
      joined(
        both,
        [{ a: 1, b: 2 }],
        [
          { a: 1, b: 3, c: 3 },
          { a: 1, b: 2, c: 2 }
        ]
      ),
      [{ a: 1, b: 2, c: 2 }]
    )
  })

  it('says which side has not the key, or no objects', () => {
    const failed = (left: JsonValue, right: JsonValue) =>
      failureOf(join, { fields: { keys }, inputs: { left, right } })
    assert.match(failed([{ buyer: 7 }], people).message, /In "left": Item 0 has no "by".*buyer/)
    assert.deepEqual([failed(orders, [7]).code, failed(orders, 'x').code], ['not_an_object', 'not_a_list'])
    assert.match(failed(orders, 'x').message, /"right"/)
  })

  it('ends where one key would give more pairs than can be kept', () => {
    const many = Array.from({ length: 2_000 }, (_, id) => ({ by: 1, id: 1, at: id }))
    const options = { fields: { keys }, inputs: { left: many, right: many }, outputLimit: 100_000 }
    assert.equal(failureOf(join, options).code, 'output_too_large')
  })
})
