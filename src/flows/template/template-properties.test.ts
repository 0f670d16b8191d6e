import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../../test/support/any-text.ts'
import { BoundedText, TextTooLong } from '../json/bounded-text.ts'
import { type JsonValue, parseJson, writeJson } from '../json/exact-json.ts'
import { compileTemplate } from './compile-template.ts'
import { TemplateError } from './template-error.ts'

type Data = { [key: string]: JsonValue }

const inherited = Object.getOwnPropertyNames(Object.prototype)
const names = ['a', 'b', 'x', 'length', 'prototype', ...inherited]
const name = fc.constantFrom(...names)
const data = fc
  .dictionary(fc.oneof(name, fc.string()), fc.jsonValue())
  .map((value) => parseJson(JSON.stringify(value)) as Data)

const pieces = [
  '{',
  '}',
  '{{',
  '}}',
  '[',
  ']',
  '.',
  ':',
  '?',
  '$',
  ' ',
  '\n',
  '0',
  '1',
  '-',
  '>',
  '.2f',
  'd',
  ',',
  '05'
]
const template = fc
  .array(fc.oneof(fc.constantFrom(...pieces), name, fc.string({ maxLength: 3, unit: 'grapheme' })), {
    maxLength: 20
  })
  .map((parts) => parts.join(''))
const placeholder = fc
  .tuple(
    fc.array(name, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '?', '?x', ':.2f', ':>5', ':d?', ':?^9')
  )
  .map(([path, tail]) => `{${path.join('.')}${tail}}`)

function renderOrFail(source: string, scope: Data): string | TemplateError {
  try {
    return compileTemplate(source).render(scope, scope)
  } catch (error) {
    assert.ok(error instanceof TemplateError, `${error}`)
    assert.ok(error.line >= 1 && error.column >= 1)
    return error
  }
}

function doubleBraces(text: string): string {
  return text.replaceAll('{', '{{').replaceAll('}', '}}')
}

describe('any template with any data', () => {
  it('throws nothing but a TemplateError', () => {
    fc.assert(
      fc.property(fc.oneof(template, placeholder), data, (source, scope) => {
        renderOrFail(source, scope)
      }),
      { numRuns: 3000 }
    )
  })

  it('never reads an inherited property', () => {
    const path = fc.array(fc.constantFrom('length', 'secret', 'prototype', ...inherited), {
      minLength: 1,
      maxLength: 4
    })
    const secretive = Object.assign(Object.create({ secret: 'SECRET' }), { own: 'mine' }) as Data
    fc.assert(
      fc.property(path, fc.constantFrom('', 'own.', 'list.', 'list[0].', '$'), (steps, prefix) => {
        const scope = Object.assign(Object.create(secretive), { own: secretive, list: ['text'] }) as Data
        assert.equal(renderOrFail(`{${prefix}${steps.join('.')}?absent}`, scope), 'absent')
      })
    )
  })

  it('reaches every key that holds no closing bracket', () => {
    const key = anyText({ minLength: 1 }).filter((text) => !text.includes(']'))
    fc.assert(
      fc.property(key, fc.string(), (text, value) => {
        const scope = { nest: Object.fromEntries([[text, value]]) }
        assert.equal(compileTemplate(`{nest[${text}]}`).render(scope), value)
        assert.equal(compileTemplate(`{[${text}]}`).render(scope.nest), value)
      })
    )
  })
})

describe('rendering in turns', () => {
  it('gives what rendering at once gives, and fails on what that fails on', () => {
    const large = { a: 'x'.repeat(9_000), b: Array.from({ length: 4_000 }, (_, n) => ({ n })), c: null }
    const whole = (source: string, scope: Data) => compileTemplate(source).render(scope)
    const pieces = (source: string, scope: Data) => {
      const text = new BoundedText(1e9)
      for (const _ of compileTemplate(source).renderTo(text, scope));
      return text.toString()
    }
    const short = (source: string, scope: Data) => compileTemplate(source).renderShort(scope)
    const field = fc.constantFrom(
      '{a}',
      '{b}',
      '{b[7]}',
      '{c}',
      '{b[0].n:03d}',
      '{x?}',
      '{x?none}',
      '{a.b}',
      '{a:d}',
      'text'
    )
    fc.assert(
      fc.property(fc.array(field, { maxLength: 12 }), fc.boolean(), (fields, isLarge) => {
        const scope = isLarge ? large : { ...large, a: 'x', b: large.b.slice(0, 9) }
        const source = fields.join(' ')
        const told = resultOf(() => whole(source, scope))
        assert.deepEqual(
          resultOf(() => pieces(source, scope)),
          told
        )
        const shown = resultOf(() => short(source, scope))
        if (shown !== undefined) assert.deepEqual(shown, told)
      })
    )
  })

  it('stops at the limit', () => {
    const text = new BoundedText(10)
    assert.throws(() => [...compileTemplate('{a}{a}{a}').renderTo(text, { a: 'abcd' })], TextTooLong)
    assert.ok(text.length <= 10)
  })
})

function resultOf(render: () => string | undefined): unknown {
  try {
    return render()
  } catch (error) {
    return (error as Error).message
  }
}

describe('one pass', () => {
  it('renders escaped text to itself', () => {
    const text = fc.oneof(anyText(), template)
    fc.assert(
      fc.property(text, (source) => assert.equal(compileTemplate(doubleBraces(source)).render({}), source))
    )
  })

  it('never reads a value as a template', () => {
    fc.assert(
      fc.property(template, template, template, (before, value, after) => {
        const source = `${doubleBraces(before)}{value}${doubleBraces(after)}`
        assert.equal(compileTemplate(source).render({ value, a: 'WRONG' }), before + value + after)
      })
    )
  })
})

describe('digits', () => {
  const number = fc.stringMatching(/^-?(0|[1-9]\d{0,30})(\.\d{1,12})?([eE][+-]?\d{1,3})?$/)

  it('survive parsing, rendering and writing', () => {
    fc.assert(
      fc.property(number, (source) => {
        const scope = parseJson(`{"n":${source},"list":[${source}]}`) as Data
        assert.equal(compileTemplate('{n} {list[0]} {list}').render(scope), `${source} ${source} [${source}]`)
        assert.equal(writeJson(scope), `{"n":${source},"list":[${source}]}`)
      })
    )
  })

  it('of integers survive grouping', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (value) => {
        const scope = parseJson(`{"n":${value}}`) as Data
        assert.equal(compileTemplate('{n:,}').render(scope).replaceAll(',', ''), String(value))
        const hex = compileTemplate('{n:x}').render(scope)
        assert.equal(hex, value.toString(16))
      })
    )
  })
})
