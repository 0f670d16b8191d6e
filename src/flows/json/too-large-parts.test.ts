import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Type } from './schema-builder.ts'
import { sizeCheck } from './too-large-parts.ts'

const Body = Type.Object(
  {
    ids: Type.Optional(Type.Union([Type.Array(Type.String(), { maxItems: 2 }), Type.Null()])),
    rows: Type.Optional(
      Type.Array(Type.Object({ tags: Type.Array(Type.String({ maxLength: 3 }), { maxItems: 1 }) }))
    ),
    free: Type.Optional(Type.Unknown())
  },
  { additionalProperties: false }
)
const found = (value: unknown) => sizeCheck(Body)(value).map(({ path, is, most }) => [path, is, most])

describe('what is too large', () => {
  it('is found wherever a schema bounds it, and nowhere else', () => {
    assert.deepEqual(found({ ids: [1, 2, 3], rows: [{ tags: [] }, { tags: [1, 2] }] }), [
      ['/ids', 3, 2],
      ['/rows/1/tags', 2, 1]
    ])
    assert.deepEqual(
      found({ ids: null, rows: [{ tags: ['long'] }, null], free: new Array(1_000).fill(0) }),
      []
    )
    const long = 'x'.repeat(100_001)
    assert.deepEqual(found({ rows: [{ tags: [long] }] }), [['/rows/0/tags/0', 100_001, 3]])
  })

  it('is told before any item is looked at', () => {
    const watched = new Proxy(new Array(10).fill('x'), {
      get: (list, name) => {
        assert.ok(name === 'length', String(name))
        return list.length
      }
    })
    assert.deepEqual(found({ ids: watched }), [['/ids', 10, 2]])
  })

  it('holds for members that are not known, after those that can be told one by one', () => {
    const members = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1]))
    assert.deepEqual(found(members(103)), [])
    assert.deepEqual(found(members(104)), [['', 104, 3]])
  })
})
