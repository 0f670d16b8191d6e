import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ExactNumber, type JsonValue } from '../json/exact-json.ts'
import { compilePath, pathFault } from './compile-path.ts'

const read = (path: string, value: JsonValue) => compilePath(path).read(value)

describe('a path', () => {
  it('leads to keys, places and keys inside', () => {
    const order = { total: 7, by: { name: 'Ann' }, lines: [{ sku: 'a' }], 'a:b': 1, $x: 2 }
    assert.deepEqual(
      ['total', 'by.name', 'lines[0].sku', 'lines.0.sku', '[a:b]', '$x', 'by.age'].map((path) =>
        read(path, order)
      ),
      [7, 'Ann', 'a', 'a', 1, 2, undefined]
    )
    assert.equal(read('1', ['a', 'b']), 'b')
    assert.deepEqual([compilePath('by.name').name, compilePath('by.name').keys], ['name', ['by', 'name']])
  })

  it('leads to a key that is written exactly so before one inside', () => {
    assert.equal(read('by.name', { by: { name: 'Ann' }, 'by.name': 'Bo' }), 'Bo')
  })

  it('reads nothing that is inherited, of one and of many', () => {
    const values: JsonValue[] = [{}, [], 'text', 7, null, new ExactNumber('1.0')]
    for (const key of ['constructor', 'length', 'toString', 'source', '__proto__', 'valueOf']) {
      assert.deepEqual(compilePath(key).readAll(values), new Array(6).fill(undefined), key)
      assert.deepEqual(
        values.map((value) => read(key, value)),
        new Array(6).fill(undefined),
        key
      )
    }
    assert.deepEqual(compilePath('a').readAll([{ a: 1 }, { b: 2 }, 7]), [1, undefined, undefined])
  })

  it('is refused where it is not a path', () => {
    assert.equal(pathFault('order.total'), undefined)
    assert.match(pathFault(' ')!, /It is empty/)
    for (const path of ['a..b', 'a}', '{a}', 'a:.2f', 'a?', 'a[', 'a}b{c'])
      assert.match(pathFault(path)!, /is not a path/, path)
  })
})
