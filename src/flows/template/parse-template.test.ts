import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compileTemplate } from './compile-template.ts'

const LITERAL = /\{\{|\}\}/

type Row = readonly [source: string, line: number, column: number, message: RegExp]

function refuses(rows: readonly Row[]) {
  for (const [source, line, column, message] of rows) {
    it(`refuses ${JSON.stringify(source).slice(0, 60)} at line ${line}, column ${column}`, () => {
      assert.throws(() => compileTemplate(source), {
        name: 'TemplateError',
        code: 'template_syntax',
        line,
        column,
        message
      })
      assert.throws(() => compileTemplate(source), {
        message: new RegExp(`\\(line ${line}, column ${column}\\)`)
      })
    })
  }
}

describe('braces', () => {
  refuses([
    ['{}', 1, 1, LITERAL],
    ['a { }', 1, 3, LITERAL],
    ['a }', 1, 3, /Write }} for a literal brace/],
    ['{a}}', 1, 4, /Write }}/],
    ['{{a}', 1, 4, /Write }}/],
    ['a {', 1, 3, /never closed.*{{/],
    ['a {b', 1, 3, /never closed/],
    ['a { ', 1, 3, /never closed/],
    ['{a:', 1, 1, /never closed/],
    ['{a:.2f', 1, 1, /never closed/],
    ['{a?b', 1, 1, /never closed/],
    ['{a[b]', 1, 1, /never closed/],
    ['{{{', 1, 3, /never closed/],
    ['a\nb {n:{w}}', 2, 6, /inside the placeholder of line 2, column 3.*{{/],
    ['{a {b}', 1, 4, /inside/],
    ['{a?{b}}', 1, 4, /inside/],
    ['{a.{b}}', 1, 4, /inside/],
    ['{ {a}', 1, 3, /inside/],
    ['{"a": {"b": 1}}', 1, 7, LITERAL],
    ['one\r\ntwo }', 2, 5, LITERAL],
    ['\u{1F600}\u{1F600} }', 1, 4, LITERAL]
  ])
})

describe('paths', () => {
  refuses([
    ['{:d}', 1, 1, /names nothing/],
    ['{?x}', 1, 1, /names nothing/],
    ['{.a}', 1, 2, /no name.*{user.name}/],
    ['{a.}', 1, 3, /no name/],
    ['{a. }', 1, 3, /no name/],
    ['{a..b}', 1, 3, /no name/],
    ['{a.[b]}', 1, 3, /no name/],
    ['{a[]}', 1, 3, /holds no key/],
    ['{a[b}', 1, 3, /Write \]/],
    ['{a[b]c}', 1, 5, /only \. or \[/],
    ['{a[b] .c}', 1, 5, /only \. or \[/]
  ])
})

describe('format specs', () => {
  const bad = [
    'z',
    'n',
    'c',
    '2q',
    '.',
    '.f',
    ',,',
    ',_',
    'dd',
    '5 5',
    '>>>',
    '*5',
    'r',
    '!s',
    '10.2.3f',
    'D'
  ]
  refuses(bad.map((spec): Row => [`{a:${spec}}`, 1, 1, /not a format such as :\.2f.*\{\[a:.*\]\} for a key/]))
  refuses([
    ['{a:10001}', 1, 1, /width is more than 10000/],
    ['{a:.10001f}', 1, 1, /precision is more than 10000/],
    [`{a:${'9'.repeat(400)}}`, 1, 1, /width is more than 10000/],
    ['{a:.2d}', 1, 1, /takes no precision/],
    ['{a:,x}', 1, 1, /does not go with "x"/],
    ['{a:+s}', 1, 1, /for numbers/],
    ['{a:#s}', 1, 1, /for numbers/],
    ['{a:=5s}', 1, 1, /for numbers/],
    ['{a:,s}', 1, 1, /for numbers/],
    ['{12:30}{a:b:c}', 1, 8, /{\[a:b:c\]} for a key that holds a colon/],
    ['{"a": [1]}', 1, 1, LITERAL],
    ['{a:2q?none}', 1, 1, /not a format/]
  ])

  it('takes the widest spec that is allowed', () => {
    assert.equal(compileTemplate('{a:10000}').render({ a: 1 }).length, 10_000)
    assert.equal(compileTemplate('{a:.10000f}').render({ a: 5e-324 }).length, 10_002)
  })

  it('forgives space before the closing brace, and keeps it before the spec as the sign it is', () => {
    assert.equal(compileTemplate('{ a :.1f }').render({ a: 1 }), '1.0')
    assert.equal(compileTemplate('{a: .1f ?none}').render({ a: 1 }), ' 1.0')
  })
})
