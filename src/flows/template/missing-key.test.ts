import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JsonValue } from '../json/exact-json.ts'
import { compileTemplate } from './compile-template.ts'
import { TemplateError } from './template-error.ts'

type Data = { [key: string]: JsonValue }

function failure(source: string, data: Data, context?: Data): TemplateError {
  try {
    compileTemplate(source).render(data, context)
  } catch (error) {
    if (error instanceof TemplateError) return error
  }
  throw assert.fail(`${source} did not fail`)
}

describe('a missing key', () => {
  it('names the variable, its place and the keys that exist', () => {
    const error = failure('Order for {customer}', { order_id: 1, total: 2 })
    assert.equal(
      error.message,
      '{customer} (line 1, column 11) has no value: the data has the keys order_id, total. ' +
        'Write {customer?} if it may be absent.'
    )
    assert.equal(error.code, 'template_missing_key')
    assert.equal(error.line, 1)
    assert.equal(error.column, 11)
    assert.equal(error.variable, 'customer')
    assert.deepEqual(error.keys, ['order_id', 'total'])
  })

  it('says so of a node that was skipped', () => {
    const nodes = { other: { data: {} } }
    const { message } = failure('{$nodes.parser-1.parsed_text}', {}, { nodes })
    assert.match(message, /has no value: the node parser-1 has put nothing out in this run/)
    const { message: inner } = failure('{$nodes.other.text}', {}, { nodes })
    assert.match(inner, /"\$nodes\.other" has the key data/)
  })

  const rows: [source: string, data: Data, message: RegExp][] = [
    ['a\n\n b{x}', {}, /^\{x\} \(line 3, column 3\) has no value: the data has no keys\./],
    [
      '{ user.age :.1f}',
      { user: { name: 1, email: 2 } },
      /^\{user\.age\}.*"user" has the keys name, email\./
    ],
    ['{total:.2f}', {}, /Write \{total:\.2f\?\} if/],
    ['{a.b.c}', { a: { b: {} } }, /"a\.b" has no keys/],
    ['{a[b].c}', { a: { b: { d: 1 } } }, /"a\[b\]" has the key d/],
    ['{user.name}', { user: 'Ada' }, /"user" is text of 3 characters and not an object/],
    ['{user.name}', { user: null }, /"user" is null and not an object/],
    ['{user.name}', { user: 5 }, /"user" is a whole number and not an object/],
    ['{user.name}', { user: true }, /"user" is true or false and not an object/],
    [
      '{items.sku}',
      { items: [1, 2, 3] },
      /"items" is a list of 3 and not an object: reach its items with \[0\]/
    ],
    ['{items[3]}', { items: [1, 2, 3] }, /"items" is a list of 3, counted from 0/],
    ['{custmer}', { customer: 1 }, /Did you mean "customer"\? Write \{custmer\?\}/],
    ['{user.nam}', { user: { name: 1 } }, /Did you mean "name"\?/],
    ['{user.name}', { 'user.name': 1 }, /Did you mean \{\[user\.name\]\}\?/],
    ['{x}', { 'a, b': 1, ' c': 2, '': 3 }, /has the keys "a, b", " c", ""\./],
    ['{x}', { 'line\nbreak': 1 }, /has the key line break\./]
  ]
  for (const [source, data, message] of rows) {
    it(`explains ${JSON.stringify(source)} in ${JSON.stringify(data)}`, () => {
      assert.match(failure(source, data).message, message)
    })
  }

  it('suggests nothing that is not close', () => {
    assert.doesNotMatch(failure('{customer}', { order: 1 }).message, /Did you mean/)
    assert.doesNotMatch(failure('{a}', { b: 1 }).message, /Did you mean/)
  })

  it('shows twelve keys and counts the others', () => {
    const data = Object.fromEntries(Array.from({ length: 42 }, (_, at) => [`key${at}`, at]))
    const error = failure('{x}', data)
    assert.match(error.message, /keys key0, key1, .*, key11 and 30 more\./)
    assert.equal(error.keys?.length, 12)
  })

  it('cuts long keys and long paths', () => {
    const error = failure(`{${'p'.repeat(5000)}}`, { ['k'.repeat(5000)]: 1 })
    assert.ok(error.message.length < 400)
    assert.match(error.message, /k{40}\.\.\./)
  })
})

describe('a missing context variable', () => {
  it('names the context variables and the keys of the data', () => {
    const error = failure('{$region}', { a: 1 }, { zone: 1, regio: 2 })
    assert.match(error.message, /the context variables are \$zone, \$regio, and the data has the key a\./)
    assert.match(error.message, /Did you mean "\$regio"\?/)
    assert.deepEqual(error.keys, ['$zone', '$regio', 'a'])
  })

  it('says when there are none', () => {
    assert.match(failure('{$region}', {}).message, /there are no context variables, and the data has no keys/)
  })

  it('looks inside the variable once it exists', () => {
    assert.match(failure('{$a.b}', { $a: { b: 1 } }, { a: { c: 1 } }).message, /"\$a" has the key c/)
    assert.match(failure('{$a.b}', {}, { a: null }).message, /"\$a" is null/)
  })
})
