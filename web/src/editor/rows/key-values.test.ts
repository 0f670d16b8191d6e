import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { JsonValue } from '../../../../src/flows/json/exact-json.ts'
import { keyValues, objectOf, typedValue, withPasted } from './key-values.ts'
import { moveRow } from './move-row.ts'
import { readPasted } from './read-pasted.ts'

describe('rows of key and value', () => {
  it('are the object that they were read from', () => {
    const key = fc.string({ minLength: 1 }).filter((text) => text !== '__proto__')
    const objects = fc.dictionary(key, fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true })
    fc.assert(
      fc.property(objects as fc.Arbitrary<Record<string, JsonValue>>, fc.boolean(), (object, repeats) => {
        const rows = keyValues(object, repeats)!
        assert.deepEqual(objectOf(rows, repeats) ?? {}, object)
      })
    )
    assert.deepEqual(
      [keyValues(null, true), keyValues('{text}', true), keyValues([1], true)],
      [[], undefined, undefined]
    )
  })

  it('repeat a name where names repeat, and else have the last', () => {
    const rows = [
      { key: 'tag', value: 'a' },
      { key: '', value: 'not named yet' },
      { key: 'tag', value: 'b' }
    ]
    assert.deepEqual(objectOf(rows, true), { tag: ['a', 'b'] })
    assert.deepEqual(objectOf(rows, false), { tag: 'b' })
    assert.deepEqual(keyValues({ tag: ['a', 'b'] }, true)?.length, 2)
    assert.deepEqual(moveRow([1, 2, 3], 2, -1), [1, 3, 2])
    assert.deepEqual(moveRow([1, 2], 1, 1), [1, 2])
  })

  it('keep what a value is while it is typed', () => {
    const typed: [JsonValue, string, JsonValue][] = [
      ['', '5', '5'],
      ['a', '{}', '{}'],
      ['a', '{b}', '{b}'],
      [5, '57', 57],
      [5, '{n}', '{n}'],
      [true, 'false', false],
      [{ a: 1 }, '{"a": 2}', { a: 2 }]
    ]
    for (const [before, text, after] of typed) assert.deepEqual(typedValue(before, text), after)
  })

  it('are filled by what is pasted, and never by a secret', () => {
    const pasted: [text: string, rows: Record<string, JsonValue>, leftOut?: string[]][] = [
      ['{"a": 1, "b": {"c": "{x}"}}', { a: 1, b: { c: '{x}' } }],
      ['a=1&b=two%20words&c', { a: '1', b: 'two words', c: '' }],
      ['https://shop.example/orders?state=open&page={page}#top', { state: 'open', page: '{page}' }],
      ['/orders?state=open', { state: 'open' }],
      ['next=/page?a=1&b=what?', { next: '/page?a=1', b: 'what?' }],
      [
        'GET / HTTP/1.1\nAccept: text/html\r\nX-Order: {order_id}\n',
        { Accept: 'text/html', 'X-Order': '{order_id}' }
      ],
      ['Authorization: Bearer abc\nAccept: */*', { Accept: '*/*' }, ['Authorization']],
      ['Authorization: Bearer {$token}', { Authorization: 'Bearer {$token}' }],
      ['api_key=123&q=x', { q: 'x' }, ['api_key']],
      ['key=123&q=x', { q: 'x' }, ['key']],
      ['{"max_tokens": 5, "token_limit": 6}', { max_tokens: 5, token_limit: 6 }]
    ]
    for (const [text, rows, leftOut = []] of pasted) {
      const read = readPasted(text)
      assert.deepEqual([objectOf(read!.rows, false), read!.leftOut], [rows, leftOut], text)
    }
    for (const text of [
      '',
      'status',
      '{status}',
      '12:30 and more\nlines',
      'https://shop.example/orders',
      '[1]'
    ])
      assert.equal(readPasted(text), undefined, text)
  })

  it('take what is pasted where the row was empty, in the place of the same names', () => {
    const rows = [
      { key: 'a', value: '1' },
      { key: '', value: '' },
      { key: 'b', value: '2' }
    ]
    const pasted = [
      { key: 'b', value: 'new' },
      { key: 'c', value: '3' }
    ]
    assert.deepEqual(withPasted(rows, 1, pasted, false), [rows[0], ...pasted])
    assert.deepEqual(withPasted(rows, 0, pasted, true), [rows[0], ...pasted, rows[1], rows[2]])
  })
})
