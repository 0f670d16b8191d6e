import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Check } from 'typebox/schema'
import { atOnce } from '../../flows/in-turns.ts'
import { type JsonValue, parseJson } from '../../plugin-api.ts'
import { compileSchema, schemaFault } from './compile-schema.ts'

const told = (schema: JsonValue, value: unknown) =>
  atOnce(compileSchema(schema).judge(value)).map(({ path, message }) => `${path}: ${message}`)

const fits = (schema: JsonValue, value: unknown) => told(schema, value).length === 0

const scalar = fc.constantFrom<JsonValue>(null, true, 0, 1, 1.5, -3, '', 'a', 'ab', 'abc')
const leaf = fc.constantFrom<JsonValue>(
  {},
  true,
  false,
  { type: 'string' },
  { type: 'integer' },
  { type: ['number', 'null'] },
  { const: 1 },
  { enum: ['a', 1, null] },
  { enum: [{ a: 1 }, [1]] },
  { minimum: 1 },
  { exclusiveMaximum: 1.5 },
  { multipleOf: 1.5 },
  { minLength: 2 },
  { maxLength: 1 },
  { pattern: '^a' }
)
const { schema } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.record({
      type: fc.constant('object'),
      properties: fc.record({ a: tie('schema'), b: tie('schema') }),
      required: fc.constantFrom<string[]>([], ['a']),
      additionalProperties: fc.oneof(fc.boolean(), tie('schema'))
    }),
    fc.record({
      patternProperties: fc.record({ '^a': tie('schema') }),
      propertyNames: fc.constantFrom<JsonValue>({ maxLength: 1 }, true),
      minProperties: fc.nat(1)
    }),
    fc.record({ items: tie('schema'), maxItems: fc.integer({ min: 1, max: 3 }), uniqueItems: fc.boolean() }),
    fc.record({
      prefixItems: fc.tuple(tie('schema'), tie('schema')),
      items: fc.oneof(fc.boolean(), tie('schema'))
    }),
    fc.record({ contains: tie('schema'), minContains: fc.integer({ min: 1, max: 2 }) }),
    fc.record({ anyOf: fc.tuple(tie('schema'), tie('schema')) }),
    fc.record({ oneOf: fc.tuple(tie('schema'), tie('schema')) }),
    fc.record({ allOf: fc.tuple(tie('schema'), tie('schema')) }),
    fc.record({ not: tie('schema') }),
    fc.tuple(tie('schema'), tie('schema'), tie('schema')).map(([one, two, three]) =>
      Object.fromEntries([
        ['if', one],
        ['then', two],
        ['else', three]
      ])
    ),
    fc.record({
      dependentRequired: fc.constant({ a: ['b'] }),
      dependentSchemas: fc.record({ b: tie('schema') })
    })
  )
}))
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'ab'), tie('value'), { maxKeys: 3 })
  )
}))

describe('a JSON Schema', () => {
  it('judges as TypeBox does', () => {
    fc.assert(
      fc.property(schema as fc.Arbitrary<JsonValue>, value as fc.Arbitrary<JsonValue>, (schema, value) => {
        assert.equal(fits(schema, value), Check(schema as object, value), JSON.stringify([schema, value]))
      }),
      { numRuns: 500 }
    )
  })

  it('knows what no part of it has looked at', () => {
    const schema = (unevaluatedProperties: JsonValue): JsonValue => ({
      allOf: [{ properties: { a: {} } }],
      anyOf: [{ properties: { b: { const: 1 } }, required: ['b'] }, true],
      unevaluatedProperties
    })
    assert.ok(fits(schema(false), { a: 1, b: 1 }))
    assert.deepEqual(told(schema(false), { a: 1, b: 2 }), [
      '/b: The value has an unknown member "b". Remove it or correct its name.'
    ])
    assert.ok(fits(schema({ type: 'number' }), { a: 1, b: 2 }))
    assert.ok(fits(schema(false), [[]]))
    assert.ok(!fits({ prefixItems: [{}], unevaluatedItems: false }, [1, 2]))
  })

  it('tells each fault once, where it is and what to do', () => {
    const order = {
      type: 'object',
      required: ['id', 'lines'],
      additionalProperties: false,
      properties: {
        id: { type: 'integer', minimum: 1 },
        mail: { type: 'string', format: 'email' },
        state: { enum: ['paid', 'open'] },
        lines: { type: 'array', items: { $ref: '#/$defs/line' }, minItems: 1, uniqueItems: true },
        at: { anyOf: [{ type: 'null' }, { type: 'object', properties: { day: { format: 'date' } } }] }
      },
      $defs: { line: { type: 'object', properties: { sku: { type: 'string', pattern: '^[A-Z]{2}$' } } } }
    }
    const value = {
      id: 1.5,
      mail: 'x',
      state: 'gone',
      lines: [{ sku: 'a' }],
      at: { day: '2026-02-30' },
      'a/b': 1
    }
    assert.deepEqual(told(order, value), [
      '/id: "id" is 1.5. Write a whole number.',
      '/mail: "mail" is "x". Write it in the format "email".',
      '/state: "state" is "gone". Use one of "paid", "open".',
      '/lines/0/sku: "lines.0.sku" is "a". It must match ^[A-Z]{2}$.',
      '/at/day: "at.day" is "2026-02-30". Write it in the format "date".',
      '/a~1b: The value has an unknown member "a/b". Remove it or correct its name.'
    ])
    assert.deepEqual(told(order, {}), [
      '/id: The value lacks "id". Add it.',
      '/lines: The value lacks "lines". Add it.'
    ])
  })

  it('knows exact numbers', () => {
    const exact = parseJson('[9007199254740993, 1.10, 1e3, 1.0, 1e400]') as JsonValue[]
    assert.ok(fits({ items: { type: 'number' } }, exact))
    assert.ok(
      fits(
        { prefixItems: [{ type: 'integer' }, { multipleOf: 0.01 }, { type: 'integer' }, { const: 1 }] },
        exact
      )
    )
    assert.ok(!fits({ type: 'integer' }, exact[1]))
    assert.ok(!fits({ uniqueItems: true }, parseJson('[1.10, 1.1]')))
    assert.ok(fits({ uniqueItems: true }, parseJson('[9007199254740993, 9007199254740992]')))
  })

  const FORMATS: [name: string, good: string[], bad: string[]][] = [
    [
      'date-time',
      ['2026-11-18T02:25:16Z', '2026-11-18T02:25:16.5+01:00'],
      ['2026-11-18', '2026-13-18T02:25:16Z', '2026-11-18T25:00:00Z']
    ],
    ['duration', ['P1DT2H', 'PT5M', 'P3W'], ['P', 'PT', '1D']],
    ['email', ['a.b+c@example.org'], ['a@', '@b', 'a b@c.de', 'a..b@c.de']],
    ['hostname', ['a.example'], ['-a', 'a..b', 'a'.repeat(64)]],
    ['ipv4', ['127.0.0.1'], ['1.2.3', '256.1.1.1', '01.2.3.4']],
    ['ipv6', ['::1', '2001:db8::1', '::ffff:1.2.3.4', '1:2:3:4:5:6:7:8'], [':::', '1::2::3', '1:2:3', 'g::']],
    ['uri', ['https://a.b/c?d', 'urn:x:y'], ['/a', 'a b:c']],
    ['uuid', ['0191a2b3-c4d5-6789-abcd-ef0123456789'], ['x']],
    ['json-pointer', ['', '/a/~0b'], ['a', '/~2']],
    ['regex', ['^a+$'], ['(']]
  ]
  it('knows formats, and leaves alone those it does not know', () => {
    for (const [format, good, bad] of FORMATS) {
      for (const text of good) assert.ok(fits({ format }, text), `${format} ${text}`)
      for (const text of [...bad, 'x'.repeat(5_000)]) assert.ok(!fits({ format }, text), `${format} ${text}`)
    }
    assert.ok(fits({ format: 'colour' }, 'x'))
  })

  it('may refer to itself', () => {
    const tree = {
      $ref: '#/$defs/node',
      $defs: { node: { type: 'object', properties: { of: { items: { $ref: '#/$defs/node' } } } } }
    }
    assert.ok(fits(tree, { of: [{ of: [] }] }))
    assert.match(told(tree, { of: [{ of: [7] }] })[0]!, /^\/of\/0\/of\/0: "of.0.of.0" is 7/)
    assert.ok(fits({ $ref: '#here', items: { $anchor: 'here', type: 'array' } }, []))
    assert.match(told({ $ref: '#' }, 1)[0]!, /refers to itself without end/)
  })

  it('is refused where it is not a schema, or can never be held to', () => {
    const FAULTS: [schema: JsonValue, fault: RegExp][] = [
      ['x', /takes a JSON Schema/],
      [{ type: 'text' }, /has the type "text". Use one of/],
      [{ properties: [] }, /at "\/properties" it takes an object/],
      [{ properties: { a: { minimum: '1' } } }, /at "\/properties\/a\/minimum" it takes a number/],
      [{ $ref: 'https://example.org/x.json' }, /which is not in it/],
      [{ $ref: '#/$defs/no' }, /which is not in it/],
      [{ pattern: '(?=a)' }, /cannot be used.*RE2/],
      [{ pattern: '(a{100}){10}'.repeat(500) }, /too large/],
      [{ allOf: Array.from({ length: 20_000 }, () => ({})) }, /more than 10000 parts/],
      [{ $dynamicRef: '#a' }, /not supported/]
    ]
    for (const [schema, fault] of FAULTS) assert.match(schemaFault(schema) ?? '', fault)
    assert.equal(schemaFault({ type: ['object', 'null'], title: 'x' }), undefined)
  })

  const bomb = (keyword: string) => ({
    $defs: Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `d${at}`,
        at === 39
          ? { type: 'string' }
          : { [keyword]: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] }
      ])
    ),
    $ref: '#/$defs/d0'
  })
  const deep = (levels: number) => parseJson(`${'['.repeat(levels)}${']'.repeat(levels)}`)
  const HARD: [name: string, schema: JsonValue, value: unknown, fault: RegExp][] = [
    ['a pattern of years', { pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`, /must match/],
    [
      'a pattern over a long text',
      { pattern: '^([a-z]+){2,9}$' },
      'a'.repeat(1_000_000),
      /too long to be matched/
    ],
    ['allOf that doubles', bomb('allOf'), 'x', /takes too long/],
    ['oneOf that doubles', bomb('oneOf'), 'x', /takes too long|more than one/],
    [
      'a long enum',
      { items: { enum: Array.from({ length: 50_000 }, (_, at) => `v${at}`) } },
      Array(50_000).fill('v1').concat('no'),
      /"50000" is "no"/
    ],
    [
      'many that are the same',
      { uniqueItems: true },
      Array.from({ length: 50_000 }, (_, at) => ({ at })).concat({ at: 1 }),
      /twice/
    ],
    [
      'deep data',
      { $ref: '#/$defs/a', $defs: { a: { items: { $ref: '#/$defs/a' }, maxItems: 1 } } },
      deep(900),
      /^$/
    ],
    [
      'many patterns of many members',
      { patternProperties: Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`^k${at}x`, {}])) },
      Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${at}`, 1])),
      /takes too long/
    ],
    ['more faults than anybody reads', { items: { type: 'string' } }, Array(100_000).fill(1), /"0" is 1/]
  ]
  for (const [name, schema, value, fault] of HARD)
    it(`is held to in bounded work: ${name}`, () => {
      const before = process.cpuUsage()
      const [first = ''] = atOnce(compileSchema(schema).judge(value)).map(({ message }) => message)
      const { user } = process.cpuUsage(before)
      assert.match(first, fault)
      assert.ok(user < 3_000_000, `${user} µs`)
    })
})
