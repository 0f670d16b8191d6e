import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ExactNumber, type JsonValue, parseJson } from '../json/exact-json.ts'
import { compileTemplate } from './compile-template.ts'
import { TemplateError } from './template-error.ts'

type Data = { [key: string]: JsonValue }

function renders(rows: readonly (readonly [source: string, data: Data, expected: string])[]) {
  for (const [source, data, expected] of rows) {
    it(`renders ${JSON.stringify(source)} as ${JSON.stringify(expected)}`, () => {
      assert.equal(compileTemplate(source).render(data), expected)
    })
  }
}

describe('text', () => {
  renders([
    ['', {}, ''],
    ['plain', {}, 'plain'],
    ['{{}}', {}, '{}'],
    ['{{a}}', {}, '{a}'],
    ['{{{a}}}', { a: 1 }, '{1}'],
    ['{{{{a}}}}', {}, '{{a}}'],
    ['{a}{b}', { a: 1, b: 2 }, '12'],
    ['a\n{b}\n', { b: 'x' }, 'a\nx\n']
  ])
})

describe('paths', () => {
  const data: Data = {
    user: { name: 'Ada', 'first name': 'Ada L.', tags: ['x', 'y'], 'é-mail': 'a@b' },
    items: [{ sku: 'A' }, { sku: 'B' }],
    'order id': 7,
    'a.b:c': 'odd',
    'a}b{c': 'braces',
    ' x ': 'spaced',
    'is?': 'asked',
    grüße: 'hi',
    '0': 'zero',
    'a]b': 'bracket'
  }
  renders([
    ['{ user.name }', data, 'Ada'],
    ['{\n user.name\t}', data, 'Ada'],
    ['{user[name]}', data, 'Ada'],
    ['{[user][name]}', data, 'Ada'],
    ['{[user].name}', data, 'Ada'],
    ['{user.first name}', data, 'Ada L.'],
    ['{user[first name]}', data, 'Ada L.'],
    ['{user[first name] }', data, 'Ada L.'],
    ['{user.é-mail}', data, 'a@b'],
    ['{order id}', data, '7'],
    ['{grüße}', data, 'hi'],
    ['{items[0].sku}{items[1][sku]}', data, 'AB'],
    ['{items.1.sku}', data, 'B'],
    ['{user.tags[1]}', data, 'y'],
    ['{[a.b:c]}', data, 'odd'],
    ['{[a}b{c]}', data, 'braces'],
    ['{[ x ]}', data, 'spaced'],
    ['{[is?]}', data, 'asked'],
    ['{a]b}', data, 'bracket'],
    ['{0}', data, 'zero']
  ])
})

describe('values', () => {
  const data = parseJson(
    '{"t":"a\\n{x}","n":null,"i":5,"f":1.5,"yes":true,"no":false,"big":12345678901234567890,' +
      '"money":1.10,"huge":1e400,"list":[1,"a",1.10],"map":{"k":null,"id":12345678901234567890}}'
  ) as Data
  renders([
    ['{t}', data, 'a\n{x}'],
    ['[{n}]', data, '[]'],
    ['{i} {f} {yes} {no}', data, '5 1.5 true false'],
    ['{big} {money} {huge}', data, '12345678901234567890 1.10 1e400'],
    ['{list}', data, '[1,"a",1.10]'],
    ['{map}', data, '{"k":null,"id":12345678901234567890}'],
    ['[{a}{b}]', { a: Number.NaN, b: Number.POSITIVE_INFINITY }, '[]'],
    ['{a}', { a: -0 }, '0']
  ])
})

describe('absence', () => {
  const data: Data = {
    a: 1,
    n: null,
    text: 'abc',
    list: [1],
    user: { name: 'x' },
    exact: new ExactNumber('1.0')
  }
  renders([
    ['[{b?}]', data, '[]'],
    ['[{ b ?}]', data, '[]'],
    ['[{b?none}]', data, '[none]'],
    ['[{b? none }]', data, '[ none ]'],
    ['{b?http://x.y:80/?q=1}', data, 'http://x.y:80/?q=1'],
    ['{a?none}', data, '1'],
    ['[{n?none}]', data, '[]'],
    ['{n.x?none}', data, 'none'],
    ['{user.mail?none}', data, 'none'],
    ['{list[1]?none}', data, 'none'],
    ['{list[-1]?none}', data, 'none'],
    ['{list[00]?none}', data, 'none'],
    ['{list.length?none}', data, 'none'],
    ['{text.length?none}', data, 'none'],
    ['{text[0]?none}', data, 'none'],
    ['{exact.source?none}', data, 'none'],
    ['{__proto__?}{constructor?}{toString?}{user.hasOwnProperty?}{list.map?}', data, ''],
    ['{b:.2f?n/a}', data, 'n/a'],
    ['{a:.2f?n/a}', data, '1.00'],
    ['[{b?:.2f}]', data, '[]'],
    ['{a?:.2f}', data, '1.00'],
    ['{b?:)}', data, ':)'],
    ['{b?none:.2f}', data, 'none:.2f'],
    ['{b:>10?-}', data, '-'],
    ['{b:?none}', data, 'none'],
    ['{b:?<none>}', data, '<none>'],
    ['{a:?>4}', data, '???1'],
    ['{b:?>4?none}', data, 'none'],
    ['{a:?}', data, '1']
  ])

  it('takes an own property that holds undefined for absent', () => {
    const data = { a: undefined } as unknown as Data
    assert.equal(compileTemplate('{a?none}').render(data), 'none')
  })

  it('reads own keys that have the names of inherited ones', () => {
    const data = parseJson('{"__proto__":1,"constructor":{"name":2},"length":3}') as Data
    assert.equal(compileTemplate('{__proto__}{constructor.name}{length}').render(data), '123')
  })
})

describe('context variables', () => {
  const template = compileTemplate('{$region}')

  it('reads the context variable first', () => {
    assert.equal(template.render({ $region: 'data' }, { region: 'context' }), 'context')
    assert.equal(compileTemplate('{$user.name}').render({}, { user: { name: 'x' } }), 'x')
  })

  it('prints a context variable that is null as nothing', () => {
    assert.equal(template.render({ $region: 'data' }, { region: null }), '')
  })

  it('reads the own key of the data when there is no such variable', () => {
    assert.equal(template.render({ $region: 'data' }, { other: 1 }), 'data')
    assert.equal(template.render({ $region: 'data' }), 'data')
  })

  it('reads no inherited context variable', () => {
    assert.equal(compileTemplate('{$toString?none}').render({}, {}), 'none')
  })

  it('takes a bracket literally, so that the data can always be reached', () => {
    assert.equal(compileTemplate('{[$region]}').render({ $region: 'data' }, { region: 'context' }), 'data')
    assert.equal(compileTemplate('{$}').render({ $: 'money' }, { '': 'context' }), 'money')
  })
})

describe('names', () => {
  it('lists each root once, in order, and context variables apart', () => {
    const template = compileTemplate('{b.x}{a}{$z}{b[y]}{[c d]?}{$y.k:>5}{$z}{a:.2f}')
    assert.deepEqual(template.variables, ['b', 'a', 'c d'])
    assert.deepEqual(template.contextVariables, ['z', 'y'])
  })

  it('keeps its source', () => {
    assert.equal(compileTemplate('a {b}').source, 'a {b}')
  })
})

describe('one pass', () => {
  it('never reads a rendered value as a template', () => {
    const template = compileTemplate('{a} {b?x}')
    assert.equal(template.render({ a: '{secret} {{ }}', secret: 'x', b: '{a}' }), '{secret} {{ }} {a}')
  })
})

describe('limits', () => {
  it('stops before a repeated value fills the memory', () => {
    const template = compileTemplate('{a}'.repeat(2000))
    assert.throws(() => template.render({ a: 'x'.repeat(1_000_000) }), {
      name: 'TemplateError',
      code: 'template_bad_value'
    })
  })

  it('compiles and fails on a very long template in reasonable time', () => {
    const source = `{a}${'\n'.repeat(40)}`.repeat(9_999)
    assert.equal(compileTemplate(source).render({ a: 1 }).length, 409_959)
    assert.throws(() => compileTemplate(`${source}{b}`).render({ a: 1 }), { line: 399_961, column: 1 })
    assert.throws(() => compileTemplate('{a}\n'.repeat(50_000)), {
      code: 'template_syntax',
      line: 10_001,
      message: /one more than the 10,000/
    })
  })

  it('turns a value that is not JSON into a TemplateError', () => {
    const cyclic: Data = {}
    cyclic.self = cyclic
    assert.throws(
      () => compileTemplate('x {a}').render({ a: cyclic }),
      (error) => error instanceof TemplateError && /contains itself/.test(error.message) && error.column === 3
    )
    // Every step of this path exists but the last: finding that out must not take a stack frame per step.
    const path = `${'self.'.repeat(100_000)}gone`
    assert.throws(() => compileTemplate(`{${path}}`).render(cyclic), { code: 'template_missing_key' })
  })
})
