import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../test/support/any-text.ts'
import { ExactNumber, type JsonValue, writeJson } from '../flows/json/exact-json.ts'
import { readYaml, YamlFault } from './read-yaml.ts'
import { OneLine, writeYaml, type YamlMembers } from './write-yaml.ts'

/** Where texts go wrong: at their ends, at their lines, and where they look like something else. */
const oddText = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      '\n',
      '\n\n',
      'yes',
      'on',
      'No',
      '~',
      'null',
      '1.0',
      '0x1F',
      '1e3',
      '.5',
      '-',
      '- a',
      '? a',
      ': ',
      '#',
      'a #b'
    ],
    ...[
      'a: b',
      'a:',
      '{x}',
      '[x',
      '*a',
      '&a',
      '!a',
      '%a',
      '@a',
      '`a',
      '|',
      '>',
      '"',
      "'",
      '---',
      '...',
      '--- a',
      '<<',
      '='
    ],
    ...[
      '\t',
      '\ta\n b',
      ' a\nb',
      'a\n  b\n',
      'a\r\nb\r\n',
      'a \nb ',
      'a\n\n',
      '\na',
      'a\n ',
      '\u2028',
      '\u0085',
      '\ufeff'
    ],
    ...[
      '\ud83d\ude00 ok',
      '\ud83d',
      '2026-11-19',
      '12:30:45',
      '0123',
      'é\nü',
      '__proto__',
      'constructor',
      '30s',
      '\u202e'
    ]
  ),
  anyText({ maxLength: 20 }),
  fc.string({ maxLength: 40 }),
  fc
    .array(fc.constantFrom('a', ' ', '\n', '\t', '#', ':', '-', '\r', '{', '|'), { maxLength: 12 })
    .map((letters) => letters.join(''))
)

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc
    .constantFrom('12345678901234567890', '1.10', '1e400', '-0', '1E5', '0.10')
    .map((source) => new ExactNumber(source))
)

const { value: anyValue } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    oddText,
    number,
    fc.constantFrom(null, true, false),
    fc.array(tie('value'), { maxLength: 4 }) as fc.Arbitrary<JsonValue>,
    fc
      .array(fc.tuple(oddText, tie('value')), { maxLength: 4 })
      .map((pairs) => Object.fromEntries(pairs)) as fc.Arbitrary<JsonValue>
  )
}))

const anyMembers = fc
  .array(fc.tuple(oddText, anyValue), { maxLength: 5 })
  .map((pairs) => Object.fromEntries(pairs))

describe('YAML', () => {
  it('says of any value what it was, to the digit, in its order', () => {
    fc.assert(
      fc.property(anyMembers, (members) => {
        assert.equal(writeJson(readYaml(writeYaml(members as YamlMembers)).value), writeJson(members))
      }),
      { numRuns: 2_000 }
    )
  })

  it('says the same in one line', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const text = writeYaml({ at: new OneLine(value) })
        assert.equal(text.split('\n').length, 2)
        assert.equal(writeJson(readYaml(text).value), writeJson({ at: value }))
      }),
      { numRuns: 1_000 }
    )
  })

  it('is written the same way again', () => {
    fc.assert(
      fc.property(anyMembers, (members) => {
        const text = writeYaml(members as YamlMembers)
        assert.equal(writeYaml(readYaml(text).value as YamlMembers), text)
      })
    )
  })

  it('has a line for each line of a text, and for each member', () => {
    const text = writeYaml({
      name: 'Orders of today',
      every: '5m',
      on: 'yes',
      at: new OneLine({ x: 0, y: -12.5 }),
      template: 'Dear {name},\n\n  thank you: #1\n',
      list: [{ id: 'a', tags: [] }, ['b'], 'c'],
      long: `${'k'.repeat(30)} `
    })
    assert.equal(
      text,
      [
        'name: Orders of today',
        'every: 5m',
        '"on": "yes"',
        'at: { x: 0, y: -12.5 }',
        'template: |',
        '  Dear {name},',
        '',
        '    thank you: #1',
        'list:',
        '  - id: a',
        '    tags: []',
        '  - - b',
        '  - c',
        `long: "${'k'.repeat(30)} "`,
        ''
      ].join('\n')
    )
  })

  it('writes names that are longer than YAML looks for', () => {
    const members = { outer: { ['n'.repeat(3_000)]: { in: [1] }, ['m'.repeat(1_030)]: 'x' } }
    assert.deepEqual(readYaml(writeYaml(members)).value, members)
  })

  it('is read as people write it', () => {
    const text = `
# by hand
common: &common { retry: {attempts: 3}, on: yes }
first:
  <<: *common
  on: no
second:
  <<: [*common]
  text: >
    folded
    lines
  quoted: 'it''s'
1.0: 1.0
`
    assert.equal(
      writeJson(readYaml(text).value),
      '{"common":{"retry":{"attempts":3},"on":"yes"},"first":{"on":"no","retry":{"attempts":3}},' +
        '"second":{"text":"folded lines\\n","quoted":"it\'s","retry":{"attempts":3},"on":"yes"},"1.0":1.0}'
    )
    assert.deepEqual(readYaml('a: 0x1F\r\nb: |\r\n  x\r\n  y\r\n').value, { a: 31, b: 'x\ny\n' })
    assert.equal(readYaml('# nothing\n').value, null)
    assert.deepEqual(readYaml('{"json": [1, "two"]}').value, { json: [1, 'two'] })
  })

  it('says where a value stands', () => {
    const { placeOf } = readYaml('name: x\nnodes:\n  - id: a\n    fields:\n      "a/b": 1\n')
    assert.deepEqual(placeOf('/nodes/0/fields/a~1b'), { line: 5, column: 7 })
    assert.deepEqual(placeOf('/nodes/0/missing/deep'), { line: 3, column: 5 })
    assert.deepEqual(placeOf('/edges'), { line: 1, column: 1 })
    assert.deepEqual(placeOf(''), { line: 1, column: 1 })
  })

  for (const [name, text, line, column, message] of [
    ['a text that needs quotes', 'a: 1\ntitle: Order: {id}\n', 2, 8, /in quotes, or as a block/],
    ['a name that repeats', 'a: 1\nb: 2\na: 3\n', 3, 1, /"a" stands here a second time/],
    ['several documents', 'a: 1\n---\nb: 1\n', 2, 1, /one flow per file/],
    ['a tab', 'a:\n\tb: 1\n', 2, 1, /spaces/],
    ['a tag', 'a: !!binary aGk=\n', 1, 13, /tag/],
    ['an alias of nothing', 'a: *b\n', 1, 4, /no anchor "&b"/],
    ['an alias of itself', 'a: &a [1, *a]\n', 1, 11, /inside of what it stands for/],
    ['no number', 'a: .inf\n', 1, 4, /no number of JSON/],
    ['a number with a zero in front', 'zip: 01234\n', 1, 6, /in quotes/],
    ['a name that is none', 'a:\n  [x, y]: 1\n', 2, 3, /name is missing/],
    ['a merge of no object', 'a:\n  <<: 3\n', 2, 3, /members of another object/]
  ] as const) {
    it(`names line, column and remedy: ${name}`, () => {
      assert.throws(
        () => readYaml(text),
        (error: YamlFault) => {
          assert.ok(error instanceof YamlFault, String(error))
          assert.match(error.message, message)
          assert.deepEqual(error.place, { line, column })
          return true
        }
      )
    })
  }

  it('refuses what stands for more than it holds', () => {
    const levels = Array.from(
      { length: 9 },
      (_, at) => `l${at + 1}: &l${at + 1} [${Array(10).fill(`*l${at}`).join(', ')}]`
    )
    assert.throws(() => readYaml(['l0: &l0 [x]', ...levels].join('\n')), /more than 1000000 values/)
    assert.throws(() => readYaml('['.repeat(600) + ']'.repeat(600)), /deeper than 500 levels/)
    assert.throws(() => readYaml('['.repeat(100_000)), YamlFault)
  })
})
