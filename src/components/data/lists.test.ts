import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type AnyComponent, type JsonValue, parseJson } from '../../plugin-api.ts'
import { failureOf, runStep, runStepInTurns } from '../step.test-kit.ts'
import { filter } from './filter.ts'
import { limit } from './limit.ts'
import { removeDuplicates } from './remove-duplicates.ts'
import { select } from './select.ts'
import { sort } from './sort.ts'
import { splitOut } from './split-out.ts'

const ORDERS = [
  { id: 1, total: 20, customer: { name: 'Bo', city: 'Ulm' } },
  { id: 2, total: 5.5, customer: { name: 'Ann', city: 'Ulm' } },
  { id: 3, total: 100, customer: { name: 'Cy', city: 'Bonn' } }
]

type Given = Record<string, JsonValue>

function ran(component: AnyComponent, fields: Given, data: unknown = ORDERS) {
  return runStep(component, { fields, inputs: { data } }).outputs as { data: JsonValue } & Given
}

function failed(component: AnyComponent, fields: Given, data: unknown = ORDERS) {
  const { code, message } = failureOf(component, { fields, inputs: { data } })
  return { code, message }
}

const ids = (rows: unknown) => (rows as { id: number }[]).map(({ id }) => id)

describe('where a list is found', () => {
  const count = (data: unknown, path = '') =>
    (ran(limit, { count: 9, path }, data).data as JsonValue[]).length

  it('is the data, its rows, one object, or what a path leads to', () => {
    assert.deepEqual(
      [
        count(ORDERS),
        count({ rows: ORDERS }),
        count({ id: 7 }),
        count({ a: { b: ORDERS } }, 'a.b'),
        count([])
      ],
      [3, 3, 1, 3, 0]
    )
  })

  it('says what came instead', () => {
    assert.deepEqual(failed(limit, {}, 'a,b').code, 'not_a_list')
    assert.match(failed(limit, {}, 'a,b').message, /the text "a,b".*Convert/)
    assert.match(failed(limit, {}, null).message, /null/)
    assert.match(failed(limit, { path: 'lines' }, { line: [] }).message, /no "lines".*keys line/)
    assert.equal(limit.check!({ count: 1, from: 'start', offset: 0, path: 'a..b' })[0]?.field, 'path')
  })
})

describe('Filter', () => {
  it('shares the items out, in order', () => {
    const { data, others } = ran(filter, { expression: 'data.total > 10 && item.customer.city == "Ulm"' })
    assert.deepEqual([ids(data), ids(others)], [[1], [2, 3]])
    assert.deepEqual(ids(ran(filter, { expression: 'index > 0' }).data), [2, 3])
  })

  it('asks CEL of what only CEL can tell', () => {
    const data = parseJson('[{"id":9007199254740993},{"id":9007199254740992},{"id":1}]')
    const { data: kept } = ran(filter, { expression: 'data.id > 9007199254740992' }, data)
    assert.deepEqual(kept, [{ id: parseJson('9007199254740993') }])
  })

  it('names the item that the condition fails for', () => {
    const { code, message } = failed(filter, { expression: 'data.total > 1' }, [...ORDERS, { id: 4 }])
    assert.equal(code, 'expression_failed')
    assert.match(message, /^Item 3: .*total.*has\(/)
    assert.equal(failed(filter, { expression: 'data.total' }).code, 'not_a_condition')
    assert.equal(filter.check!({ expression: 'data.', path: '' })[0]?.field, 'expression')
  })

  it('lets others have their turn', async () => {
    const data = Array.from({ length: 3_500 }, (_, id) => ({ id }))
    const quick = await runStepInTurns(filter, { fields: { expression: 'data.id > 1' }, inputs: { data } })
    const slow = await runStepInTurns(filter, { fields: { expression: 'index > 1' }, inputs: { data } })
    assert.ok(quick.turns >= 4 && slow.turns > 30, `${quick.turns}, ${slow.turns}`)
    assert.deepEqual(quick.outputs, slow.outputs)
  })
})

describe('Sort', () => {
  const by = (...keys: (string | { field: string; direction: string })[]) => ({ keys })
  const down = (field: string) => ({ field, direction: 'descending' })

  it('sorts by keys, the first that differs', () => {
    assert.deepEqual(ids(ran(sort, by('total')).data), [2, 1, 3])
    assert.deepEqual(ids(ran(sort, by(down('customer.city'), 'customer.name')).data), [2, 1, 3])
  })

  it('takes numbers for numbers, also where they are texts', () => {
    assert.deepEqual(ran(sort, {}, ['10', '9', '-1', '2.5']).data, ['-1', '2.5', '9', '10'])
    assert.deepEqual(ran(sort, {}, [10, 'b', 9, 'a', true]).data, [9, 10, 'a', 'b', true])
    const exact = parseJson('[9007199254740993,9007199254740992,1]')
    assert.deepEqual(String(ran(sort, {}, exact).data), '1,9007199254740992,9007199254740993')
  })

  it('puts what has no value last, or first, whatever the direction', () => {
    const rows = [{ id: 1, at: null }, { id: 2, at: 5 }, { id: 3 }, { id: 4, at: 7 }]
    assert.deepEqual(ids(ran(sort, by('at'), rows).data), [2, 4, 1, 3])
    assert.deepEqual(ids(ran(sort, by(down('at')), rows).data), [4, 2, 1, 3])
    assert.deepEqual(ids(ran(sort, { ...by('at'), nulls: 'first' }, rows).data), [1, 3, 2, 4])
  })

  it('takes a key that no item has for a slip', () => {
    const { code, message } = failed(sort, by('totl'))
    assert.equal(code, 'missing_key')
    assert.match(message, /Item 0 has no "totl": it has the keys id, total, customer\. No other item/)
    assert.deepEqual(ran(sort, by('totl'), []).data, [])
    assert.equal(failed(removeDuplicates, { fields: ['totl'] }).code, 'missing_key')
  })

  it('knows the order of a language', () => {
    const names = ['Zoe', 'äpfel', 'Apfel', 'file 10', 'file 9']
    assert.deepEqual(ran(sort, { locale: 'de' }, names).data, ['Apfel', 'äpfel', 'file 9', 'file 10', 'Zoe'])
    assert.match(sort.check!({ keys: [], path: '', nulls: 'last', locale: 'no such' })[0]!.message, /no such/)
    assert.match(
      sort.check!({ keys: [{ field: '', direction: 'ascending' }], path: '', nulls: 'last', locale: '' })[0]!
        .message,
      /Key 1: It is empty/
    )
  })

  it('is stable, in turns too', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('a', 'b', null)), { maxLength: 40 }),
      async (values) => {
        const rows = values.map((at, id) => ({ id, at }))
        const { data } = ran(sort, by('at'), rows)
        const places = new Map(ids(data).map((id, place) => [id, place]))
        for (const { id, at } of rows) {
          const twin = rows.findIndex((row) => row.id > id && row.at === at)
          if (twin > 0) assert.ok(places.get(twin)! > places.get(id)!)
        }
      }
    )
    await fc.assert(property, { numRuns: 50 })
    const many = Array.from({ length: 10_000 }, (_, id) => ({ id, at: (id * 7) % 13 }))
    const { outputs, turns } = await runStepInTurns(sort, { fields: by('at'), inputs: { data: many } })
    assert.deepEqual(
      outputs.data,
      many.toSorted((one, other) => one.at - other.at)
    )
    assert.ok(turns > 3)
  })
})

describe('Limit', () => {
  it('keeps the first, the last, or some in between', () => {
    assert.deepEqual(ids(ran(limit, { count: 2 }).data), [1, 2])
    assert.deepEqual(ids(ran(limit, { count: 2, from: 'end' }).data), [2, 3])
    assert.deepEqual(ids(ran(limit, { count: 1, offset: 1 }).data), [2])
    assert.deepEqual(ids(ran(limit, { count: 5, offset: 1, from: 'end' }).data), [1, 2])
    assert.deepEqual(ran(limit, { count: 2, offset: 9, from: 'end' }).data, [])
  })
})

describe('Remove duplicates', () => {
  it('keeps one of those that are alike, as a whole or in some keys', () => {
    const rows = parseJson('[{"a":1,"b":2},{"b":2,"a":1.0},{"a":"1","b":2},7,7]')
    assert.deepEqual(
      JSON.stringify(ran(removeDuplicates, {}, rows).data),
      '[{"a":1,"b":2},{"a":"1","b":2},7]'
    )
    assert.deepEqual(ids(ran(removeDuplicates, { fields: ['customer.city'] }).data), [1, 3])
    const last = ran(removeDuplicates, { fields: ['customer.city'], keep: 'last' })
    assert.deepEqual([ids(last.data), ids(last.duplicates)], [[2, 3], [1]])
  })
})

describe('Select and rename', () => {
  const members = (...fields: (string | { field: string; as: string })[]) => ({ fields })

  it('keeps members under other names, of an object and of a list', () => {
    const fields = members('id', { field: 'customer.name', as: 'who' }, 'customer.city')
    assert.deepEqual(ran(select, fields, ORDERS[0]).data, { id: 1, who: 'Bo', city: 'Ulm' })
    assert.equal((ran(select, fields).data as JsonValue[]).length, 3)
  })

  it('renames in place, and removes', () => {
    const fields = members({ field: 'id', as: 'number' }, { field: 'customer.name', as: 'name' })
    assert.equal(
      JSON.stringify(ran(select, { ...fields, mode: 'Keep all' }, ORDERS[0]).data),
      '{"number":1,"total":20,"customer":{"city":"Ulm"},"name":"Bo"}'
    )
    assert.deepEqual(ran(select, { ...fields, mode: 'Remove' }, ORDERS[0]).data, {
      total: 20,
      customer: { city: 'Ulm' }
    })
    assert.deepEqual(
      ran(select, { ...members({ field: 'a', as: 'b' }), mode: 'Keep all' }, { b: 1, a: 2 }).data,
      { b: 2 }
    )
  })

  it('does with what is absent as it is told', () => {
    const fields = members('id', 'note')
    const { code, message } = failed(select, fields)
    assert.equal(code, 'missing_key')
    assert.match(message, /Item 0 has no "note": it has the keys id, total, customer.*Where it is absent/)
    assert.deepEqual(ran(select, { ...fields, missing: 'null' }, { id: 1 }).data, { id: 1, note: null })
    assert.deepEqual(ran(select, { ...fields, missing: 'leave out' }, { id: 1 }).data, { id: 1 })
    assert.equal(failed(select, fields, [7]).code, 'not_an_object')
  })

  it('is judged when it is saved', () => {
    const check = (fields: { field: string; as: string }[]) =>
      select.check!({ mode: 'Keep', missing: 'fail', path: '', fields })[0]?.message ?? ''
    assert.match(check([]), /names no member/)
    assert.match(check([{ field: 'a[', as: '' }]), /Member 1: "a\[" is not a path/)
    assert.match(
      check([
        { field: 'a.x', as: '' },
        { field: 'b.x', as: '' }
      ]),
      /called "x"/
    )
    assert.equal(
      check([
        { field: 'a.x', as: '' },
        { field: 'b.x', as: 'y' }
      ]),
      ''
    )
  })
})

describe('Split out', () => {
  const order = { number: 7, by: { name: 'Ann', lines: [{ sku: 'a' }, { sku: 'b' }] }, tags: ['x', 'y'] }

  it('gives one item for each element, with what is kept of its surroundings', () => {
    assert.deepEqual(ran(splitOut, { field: 'by.lines' }, order).data, [{ sku: 'a' }, { sku: 'b' }])
    assert.deepEqual(
      (ran(splitOut, { field: 'by.lines', keep: 'all members' }, order).data as JsonValue[])[0],
      {
        number: 7,
        by: { name: 'Ann' },
        tags: ['x', 'y'],
        sku: 'a'
      }
    )
    const some = { field: 'tags', keep: 'these members', members: ['number', 'by.name'] }
    assert.deepEqual(ran(splitOut, some, [order]).data, [
      { number: 7, name: 'Ann', tags: 'x' },
      { number: 7, name: 'Ann', tags: 'y' }
    ])
    assert.deepEqual((ran(splitOut, { ...some, as: 'tag' }, order).data as Given[])[1]!.tag, 'y')
    assert.deepEqual(ran(splitOut, { field: 'a' }, [{ a: null }, { a: [] }]).data, [])
  })

  it('says where there is no list', () => {
    assert.deepEqual(failed(splitOut, { field: 'tags' }, [order, { tags: 'x' }]), {
      code: 'not_a_list',
      message:
        '"tags" of item 1 is the text "x", and only a list can be split out. Name one, or make it a list before.'
    })
    assert.equal(failed(splitOut, { field: 'lines' }, order).code, 'missing_key')
  })
})
