import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { knownPaths } from './known-paths.ts'

describe('the paths that are offered', () => {
  it('are the keys of all rows, and those inside', () => {
    const rows = [
      { id: 1, order: { total: 2 } },
      { id: 2, note: 'x', 'a.b': 1 }
    ]
    assert.deepEqual(knownPaths(rows), ['id', 'order', 'order.total', 'note', '[a.b]'])
    assert.deepEqual(knownPaths({ rows }), knownPaths(rows))
    assert.deepEqual(knownPaths(rows[0]), ['id', 'order', 'order.total'])
  })

  it('are those of a list inside the data', () => {
    assert.deepEqual(knownPaths({ order: { lines: [{ sku: 'a' }] } }, 'order.lines'), ['sku'])
    assert.deepEqual(knownPaths({ order: 1 }, 'order.lines'), [])
    assert.deepEqual(knownPaths(undefined), [])
  })
})
