import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JsonValue } from '../../../../src/flows/json/exact-json.ts'
import { completeJavaScript } from './complete-javascript.ts'
import { completeJsonata } from './complete-jsonata.ts'
import { errorPlace } from './error-place.ts'
import type { CodeCompletion } from './members.ts'

const DATA: JsonValue = {
  customer: { name: 'Ann', 'first name': 'A' },
  items: [
    { sku: 'a', price: 1 },
    { sku: 'b', tags: [{ id: 1 }] }
  ],
  total: 12.5
}

/** The labels that are offered where the bar stands. */
function offered(complete: typeof completeJavaScript, written: string): readonly string[] {
  return found(complete, written)?.options.map(({ label }) => label) ?? []
}

function found(complete: typeof completeJavaScript, written: string): CodeCompletion | undefined {
  return complete(written.replace('|', ''), written.indexOf('|'), DATA)
}

describe('completion of JavaScript by the last data', () => {
  const at = (written: string) => offered(completeJavaScript, written)

  it('offers the keys behind a path, with what they hold', () => {
    assert.deepEqual(at('return data.|'), ['customer', 'items', 'total'])
    assert.deepEqual(at('return data?.customer.na|'), ['name', 'first name'])
    assert.deepEqual(found(completeJavaScript, 'data.to|')?.options.at(-1), {
      label: 'total',
      detail: '12.5'
    })
    assert.equal(found(completeJavaScript, 'data.to|')?.from, 'data.'.length)
    assert.deepEqual(at('const n = data\n  .customer\n  .|'), ['name', 'first name'])
  })

  it('offers what items of a list have, each of them', () => {
    const keys = ['sku', 'price', 'tags']
    for (const written of [
      'data.items[0].|',
      'data["items"][0]?.|',
      'data.items.at(-1).|',
      'data.items.map((item) => item.|',
      'data.items.filter(item => item.|',
      'data.items.filter((x) => x.price > 1).length\nfor (const item of data.items) { item.|',
      'data.items.reduce((sum, item) => sum + item.|',
      'const lines = data.items\nreturn lines.map(({}) => 1) && lines[0].|'
    ]) {
      assert.deepEqual(at(written), keys, written)
    }
    assert.deepEqual(at('data.items.map((item) => item.tags.map((tag) => tag.|'), ['id'])
    assert.ok(at('data.items.|').includes('map'))
  })

  it('puts a key that is not a name into brackets, in the place of the dot', () => {
    const option = found(completeJavaScript, 'data.customer.|')?.options[1]
    assert.deepEqual([option?.insert, option?.takesDot], ['["first name"]', true])
  })

  it('offers the log, and nothing behind what it does not know', () => {
    assert.deepEqual(at('console.|'), ['log', 'info', 'warn', 'error'])
    assert.ok(at('cons|').includes('console.log'))
    assert.deepEqual(at('other.|'), [])
    assert.deepEqual(at('data.absent.|'), [])
    assert.deepEqual(at('const a = b.x\nconst b = a.x\na.|'), [])
    assert.deepEqual(at('1 + |'), [])
  })
})

describe('completion of JSONata by the last data', () => {
  const at = (written: string) => offered(completeJsonata, written)

  it('offers keys of the data, and of what a path leads to', () => {
    assert.deepEqual(at('cu|'), ['customer', 'items', 'total'])
    assert.deepEqual(at('customer.|'), ['name', 'first name'])
    assert.deepEqual(at('$.customer.|'), ['name', 'first name'])
    assert.deepEqual(at('items.|'), ['sku', 'price', 'tags'])
    assert.deepEqual(at('items[0].tags.|'), ['id'])
    assert.equal(found(completeJsonata, 'customer.f|')?.options[1]?.insert, '`first name`')
  })

  it('reads names inside of a group from what the group is about', () => {
    const keys = ['sku', 'price', 'tags']
    for (const written of [
      'items[pr|',
      'items.(pr|',
      'items.{ "sku": sk|',
      '$sum(items.(price * q|',
      'items^(>pr|',
      '{ "all": items[price > 5].|'
    ]) {
      assert.deepEqual(at(written), keys, written)
    }
    assert.deepEqual(at('items.(price + $$.customer.|'), ['name', 'first name'])
    assert.deepEqual(at('$sum(items.price) + to|'), ['customer', 'items', 'total'])
  })

  it('offers functions behind a dollar, and nothing inside of texts and comments', () => {
    assert.ok(at('$su|').includes('$sum'))
    assert.deepEqual(at('"cu|'), [])
    assert.deepEqual(at('/* cu|'), [])
    assert.deepEqual(at('1 |'), [])
  })
})

describe('where an error is', () => {
  const code = 'const a = 1\n  return b.c\n'

  it('is the word at its line and column', () => {
    const place = errorPlace('Line 2, column 10: ReferenceError: b is not defined.', code)
    assert.deepEqual(place, { from: 21, to: 22, message: 'ReferenceError: b is not defined.' })
    assert.equal(code.slice(21, 22), 'b')
  })

  it('is the whole line where there is no column', () => {
    const place = errorPlace('Line 2: no', code)
    assert.equal(code.slice(place?.from, place?.to), 'return b.c')
  })

  it('stays in the text wherever it is told to be', () => {
    assert.deepEqual(errorPlace('Line 1, column 40: end', 'abc'), { from: 2, to: 3, message: 'end' })
    assert.deepEqual(errorPlace('Line 9, column 1: end', 'abc'), { from: 0, to: 3, message: 'end' })
    assert.deepEqual(errorPlace('Line 1, column 1: empty', ''), { from: 0, to: 0, message: 'empty' })
    assert.equal(errorPlace('It took longer than 5000 ms and was ended.', code), undefined)
  })
})
