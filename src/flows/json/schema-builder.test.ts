import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import TypeBox from 'typebox'
import { Type } from './schema-builder.ts'

/** One of every kind, with and without options, built by either. */
const examples = (builder: typeof Type) => ({
  strings: [builder.String(), builder.String({ pattern: '^a', description: 'A' })],
  numbers: [builder.Number({ minimum: 1 }), builder.Integer(), builder.Integer({ maximum: 2 })],
  others: [builder.Boolean({ default: false }), builder.Null(), builder.Unknown({ title: 'T' })],
  literals: [builder.Literal('a'), builder.Literal(true, { title: 'T' }), builder.Literal(1)],
  enums: [builder.Enum(['a', 'b']), builder.Enum(['a'], { title: 'T' })],
  arrays: [builder.Array(builder.String()), builder.Array(builder.Null(), { maxItems: 3 })],
  objects: [
    builder.Object({}),
    builder.Object({ all: builder.Optional(builder.Unknown()) }),
    builder.Object(
      { needed: builder.String(), not: builder.Optional(builder.Integer({ minimum: 0 })) },
      { additionalProperties: false }
    )
  ],
  records: [
    builder.Record(builder.String(), builder.Number()),
    builder.Record(builder.String({ pattern: '^[a-z]+$' }), builder.Boolean(), { maxProperties: 2 })
  ],
  unions: [builder.Union([builder.String(), builder.Null()], { description: 'D' })],
  intersections: [builder.Intersect([builder.Object({ a: builder.String() }), builder.Object({})])]
})

describe('the builder of schemas', () => {
  it('builds what TypeBox builds', () => {
    const ours = examples(Type)
    assert.deepEqual(ours, examples(TypeBox))
    assert.equal(JSON.stringify(ours), JSON.stringify(examples(TypeBox)), 'in the same order too')
  })

  it('leaves the schema alone that it makes an optional one of', () => {
    const text = Type.String()
    Type.Optional(text)
    assert.deepEqual(Type.Object({ text }).required, ['text'])
  })
})
