import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { JsonValue } from '../../../../src/flows/json/exact-json.ts'
import { compileTemplate } from '../../../../src/flows/template/compile-template.ts'
import { printValue } from '../../../../src/flows/template/format-value.ts'
import { flowOf, node } from '../graph/flow.test-kit.ts'
import { testCatalogue } from '../wiring/page-catalogue.test-kit.ts'
import { completeTemplate } from './complete-template.ts'
import { declaredValues } from './declared-values.ts'
import { insertKey, templatePathOf } from './insert-key.ts'
import { previewParser, previewPrompt } from './preview.ts'
import { templateGaps } from './template-gaps.ts'
import { pathText, type ValuePath } from './template-path.ts'

const ORDER: JsonValue = {
  order_id: 7,
  user: { name: 'Ann', 'first name': 'Ann L.', 'e.mail': 'a@b', '': 'no way', 'a].b': 'no way' },
  items: [{ sku: 'A' }, { sku: 'B' }],
  $region: 'data'
}

describe('pathText', () => {
  const rows: [path: ValuePath, text: string | undefined][] = [
    [['user', 'name'], 'user.name'],
    [['items', 0, 'sku'], 'items[0].sku'],
    [['first name'], 'first name'],
    [['a', 'b c'], 'a.b c'],
    [['a.b:c'], '[a.b:c]'],
    [[' x'], '[ x]'],
    [['a', '{'], 'a[{]'],
    [['a]b'], 'a]b'],
    [['$x'], '[$x]'],
    [['a', '$x'], 'a.$x'],
    [['a].b'], undefined],
    [[''], undefined],
    [[], undefined]
  ]
  for (const [path, text] of rows)
    it(`writes ${JSON.stringify(path)}`, () => assert.equal(pathText(path), text))

  it('reaches the value that it names, in any payload', () => {
    const key = fc.oneof(
      fc.string({ maxLength: 4 }),
      fc.constantFrom('a.b', 'a]', '[x', '{}', '$v', ' ', 'é', '0', '__proto__', ':?')
    )
    const { tree } = fc.letrec<{ tree: JsonValue; leaf: JsonValue }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        tie('leaf'),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 4 })
      ),
      leaf: fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))
    }))
    fc.assert(
      fc.property(fc.dictionary(key, tree, { maxKeys: 4 }), (made) => {
        const payload = JSON.parse(JSON.stringify(made)) as { [key: string]: JsonValue }
        for (const [path, value] of pathsOf(payload)) {
          const text = pathText(path)
          if (text === undefined)
            assert.ok(
              path.some((part) => part === '' || String(part).includes(']')),
              JSON.stringify(path)
            )
          else assert.equal(compileTemplate(`<{${text}}>`).render(payload), `<${printValue(value)}>`, text)
        }
      }),
      { numRuns: 300 }
    )
  })
})

function pathsOf(value: JsonValue, path: ValuePath = []): [ValuePath, JsonValue][] {
  if (Array.isArray(value)) return value.flatMap((item, index) => pathsBelow(item, [...path, index]))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => pathsBelow(item as JsonValue, [...path, key]))
}

function pathsBelow(value: JsonValue, path: ValuePath): [ValuePath, JsonValue][] {
  return [[path, value], ...pathsOf(value, path)]
}

describe('completions', () => {
  /** The cursor is at the bar. */
  function complete(text: string, payload: JsonValue = ORDER, variables = {}) {
    const cursor = text.indexOf('|')
    const source = text.replace('|', '')
    const found = completeTemplate(source, cursor, payload, variables)
    return found?.options.map(({ insert, from, to }) => source.slice(0, from) + insert + source.slice(to))
  }

  it('are the keys of the payload', () => {
    assert.deepEqual(complete('Order {|'), [
      'Order {order_id',
      'Order {user',
      'Order {items',
      'Order {[$region]'
    ])
    assert.deepEqual(complete('{ ord|}'), ['{ order_id}', '{ user}', '{ items}', '{ [$region]}'])
  })

  it('reach inside, quoted as they have to be, without those that no template can write', () => {
    assert.deepEqual(complete('{user.|}'), ['{user.name}', '{user.first name}', '{user[e.mail]}'])
    assert.deepEqual(complete('{user[na|]}'), ['{user.name}', '{user.first name}', '{user[e.mail]}'])
    assert.deepEqual(complete('{items.|'), ['{items[0]', '{items[1]'])
    assert.deepEqual(complete('{items[0].s|}'), ['{items[0].sku}'])
  })

  it('are the variables of the context too', () => {
    const variables = { region: 'eu' }
    const root = complete('{|', ORDER, variables)
    assert.deepEqual([root?.[0], root?.at(-1)], ['{order_id', '{$region'], 'keys that came are first')
    assert.deepEqual(complete('{user.|', ORDER, variables)?.[0], '{user.name')
    const resume = { 'call-1': 'https://…' }
    assert.deepEqual(complete('{$resume.|}', ORDER, { resume }), ['{$resume.call-1}'])
  })

  it('are the keys of the items where the payload is a list', () => {
    assert.deepEqual(complete('{|', [{ a: 1 }, 5, { b: 2, a: 3 }]), ['{a', '{b'])
    assert.deepEqual(complete('{|', 'text'), [])
  })

  it('are what the flow says that there will be, where no run has shown it', () => {
    const schema = { properties: { id: {}, buyer: { properties: { name: {} } } } }
    const flow = flowOf(
      [node('webhook-1', { fields: { schema } }), 'parser-1', 'chat-output-1'],
      ['webhook-1.data -> parser-1.data', 'parser-1.parsed_text -> chat-output-1.text']
    )
    const at = (text: string, id: string, data?: JsonValue) =>
      completeTemplate(text, text.length, data, {}, declaredValues(flow, testCatalogue(), id))!.options
    assert.deepEqual(
      at('{', 'parser-1').map(({ insert }) => insert),
      ['id', 'buyer', '$nodes', '$run', '$flow', '$data', '$now']
    )
    assert.deepEqual(
      [...at('{buyer.', 'parser-1'), ...at('{$nodes.parser-1.', 'chat-output-1')].map(({ label, detail }) => [
        label,
        detail
      ]),
      [
        ['name', 'no value yet'],
        ['parsed_text', 'no value yet']
      ]
    )
    assert.deepEqual(
      at('{$run.', 'parser-1').map(({ label }) => label),
      ['id', 'session', 'created_at']
    )
    assert.equal(at('{', 'parser-1', { id: 7 }).find(({ label }) => label === 'id')?.sample, '7')
  })

  it('are formats behind a time', () => {
    const now = '2026-11-17T09:05:00Z'
    const found = completeTemplate('{$now:yyyy}', 10, undefined, { now })
    assert.deepEqual(
      found?.options.map(({ insert, sample }) => [insert, sample]),
      [
        ['yyyy-MM-dd', '2026-11-17'],
        ['yyyy-MM-dd HH:mm', '2026-11-17 09:05']
      ]
    )
  })

  it('tell what each value is', () => {
    const [option] = completeTemplate('{', 1, { name: 'Ann' })!.options
    assert.deepEqual([option?.label, option?.detail, option?.sample], ['name', 'text of 3 characters', 'Ann'])
  })

  it('are none in text, after {{, in a format, in a fallback and behind a placeholder', () => {
    for (const text of ['|', 'a|', '{{|', '{a:|', '{a?|', '{a}|', '{a[b] |', '}|']) {
      assert.equal(complete(text), undefined, text)
    }
    assert.ok(complete('{{{|'))
    assert.ok(complete('{a} {|'))
  })

  it('give templates that compile and print the value', () => {
    const payload = { 'a b': { '.': 'x', c: [1] }, '}': 2 }
    for (const text of ['{|', '{a b.|', '{a b[c][|', '{a b.c|', '{[|']) {
      for (const done of complete(text, payload)!) {
        const template = compileTemplate(`${done}}`)
        assert.doesNotThrow(() => template.render(payload), done)
      }
    }
  })
})

describe('what a payload lacks', () => {
  it('is named with the place of each placeholder', () => {
    const source = 'To {user.nam} of {city}, {zip?}, {order_id:05d}'
    const gaps = templateGaps(source, ORDER)
    assert.deepEqual(
      gaps.map(({ from, to, variable }) => [source.slice(from, to), variable]),
      [
        ['user.nam', 'user.nam'],
        ['city', 'city']
      ]
    )
    assert.match(gaps[0]!.message, /Did you mean "name"\?/)
    assert.ok(gaps[1]!.keys.includes('order_id'))
  })

  it('is looked for in every item of a list', () => {
    const [gap, ...others] = templateGaps('{a} {b}', [{ a: 1, b: 2 }, { a: 1 }])
    assert.deepEqual([gap?.variable, others], ['b', []])
    assert.match(gap!.message, /^In item 1: /)
  })

  it('is nothing that the context sets, nor what is written wrongly', () => {
    assert.deepEqual(templateGaps('{$region} {', {}, { region: 'eu' }), [])
  })

  it('is what a run would fail of, and nothing else', () => {
    const template = fc
      .array(fc.constantFrom('{a}', '{b.c}', '{d[0]}', '{e?}', 'x', '{$v}'), { maxLength: 5 })
      .map((parts) => parts.join(''))
    const payload = fc
      .record(
        { a: fc.constant(1), b: fc.constantFrom({ c: 1 }, {}, 5), d: fc.constantFrom([], [1]) },
        { requiredKeys: [] }
      )
      .map((made) => JSON.parse(JSON.stringify(made)) as JsonValue)
    fc.assert(
      fc.property(template, fc.oneof(payload, fc.array(payload, { maxLength: 3 })), (source, data) => {
        const [gap] = templateGaps(source, data)
        const { problem } = previewParser({ template: source }, data)
        assert.equal(problem === undefined, gap === undefined)
        if (!Array.isArray(data)) assert.equal(problem?.message, gap?.message)
      })
    )
  })
})

describe('the preview', () => {
  it('is what the Parser makes', () => {
    assert.deepEqual(previewParser({ template: 'Order {order_id:03d}' }, ORDER), { text: 'Order 007' })
    assert.deepEqual(previewParser({}, { text: 'hi' }), { text: 'Text: hi' })
    assert.deepEqual(
      previewParser({ template: '{sku}', separator: '{$sep}' }, [{ sku: 'A' }, { sku: 'B' }], { sep: ', ' }),
      { text: 'A, B' }
    )
    assert.deepEqual(previewParser({ mode: 'Stringify' }, { a: 1 }), { text: '{\n  "a": 1\n}' })
    assert.deepEqual(previewParser({ mode: 'Stringify', template: '{' }, 'as it is'), { text: 'as it is' })
  })

  it('fails as the run would, with the place in the template', () => {
    const problem = (template: string, data: JsonValue | undefined) =>
      previewParser({ template }, data).problem
    assert.deepEqual([problem('a {b', {})?.code, problem('a {b', {})?.at], ['template_syntax', 2])
    assert.deepEqual([problem('a {b}', {})?.code, problem('a {b}', {})?.at], ['template_missing_key', 2])
    assert.equal(problem('{b:d}', { b: 'x' })?.code, 'template_bad_value')
    assert.match(problem('{b}', undefined)?.message ?? '', /no data.*Stringify/)
    assert.match(problem('{b}', 5)?.message ?? '', /a number, not an object.*Stringify/)
    assert.equal(previewParser({ template: '', separator: '{$lost}' }, []).problem?.code, 'variable_missing')
  })

  it('is what the Prompt makes of its inputs', () => {
    assert.deepEqual(previewPrompt({ template: 'Hi {name}{mark?!}' }, { name: 'Ann' }), { text: 'Hi Ann!' })
    assert.match(previewPrompt({ template: '{name}' }, {}).problem?.message ?? '', /Wire something/)
  })
})

describe('a key that is dragged into a template', () => {
  const drop = (text: string, path: ValuePath, payload: JsonValue = ORDER) => {
    const at = text.indexOf('|')
    const source = text.replace('|', '')
    const insertion = insertKey(source, at, path, payload)
    return 'text' in insertion
      ? source.slice(0, insertion.from) + insertion.text + source.slice(insertion.to)
      : insertion.message
  }

  it('becomes a placeholder, or the new path of the one that it is dropped on', () => {
    assert.equal(drop('Hi |!', ['user', 'name']), 'Hi {user.name}!')
    assert.equal(drop('Hi {us|er:>10?x}!', ['items', 0, 'sku']), 'Hi {items[0].sku:>10?x}!')
    assert.equal(drop('Hi {us|', ['order_id']), 'Hi {order_id}')
    assert.equal(drop('{|{', ['order_id']), '{{{order_id}')
    assert.equal(drop('{a}|{b}', ['order_id']), '{a}{order_id}{b}')
  })

  it('begins in the item where the payload is a list', () => {
    assert.deepEqual(templatePathOf([1, 'sku'], [{ sku: 'A' }]), { text: 'sku' })
  })

  it('says why where it cannot be one', () => {
    assert.match(drop('|', ['user', 'a].b']), /no way to write the key "a\]\.b"/)
    assert.match(drop('|', [], ORDER), /Drag a key/)
    assert.match(drop('|', [0], [{ a: 1 }]), /Drag a key/)
    assert.match(drop('|', [], 'text'), /no keys.*Stringify/)
  })
})
