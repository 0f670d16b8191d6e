import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { formPayload } from './form-payload.ts'

const read = (body: string) => JSON.parse(Buffer.from(formPayload(Buffer.from(body))).toString())

describe('a form as a payload', () => {
  for (const [body, expected] of [
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a=1&a=2&b=&a=3', { a: ['1', '2', '3'], b: '' }],
    ['name=%C3%84nn+B%2B%26%3D', { name: 'Änn B+&=' }],
    ['a&=x&&b=1=2&', { a: '', '': 'x', b: '1=2' }],
    ['bad=%&worse=%zz&cut=%4', { bad: '%', worse: '%zz', cut: '%4' }],
    ['Änn=%C3%84+é', { Änn: 'Ä é' }],
    ['%ff=%00', { '\uFFFD': '\u0000' }]
  ] as const)
    it(`is an object of texts: ${body}`, () => assert.deepEqual(read(body), expected))

  it('has any name as a name', () => {
    const text = Buffer.from(formPayload(Buffer.from('__proto__=1&constructor=2&__proto__=3'))).toString()
    assert.equal(text, '{"__proto__":["1","3"],"constructor":"2"}')
  })

  it('is read as browsers read it, whatever it holds', () => {
    // What is not ASCII comes escaped; where it does not, Node reads it wrong as soon as anything else is escaped.
    const piece = fc.oneof(
      fc.constantFrom('&', '=', '%', '+', '%41', '%c3%84', '%F'),
      fc.string({ unit: 'grapheme-ascii' })
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const body = pieces.join('')
        const pairs = [...new URLSearchParams(`&${body}`)]
        const names = new Map<string, string[]>()
        for (const [name, value] of pairs) names.set(name, [...(names.get(name) ?? []), value])
        const expected = Object.fromEntries(
          [...names].map(([name, values]) => [name, values.length === 1 ? values[0] : values])
        )
        assert.deepEqual(read(body), expected)
      })
    )
  })

  it('has up to 1,000 fields', () => {
    const fields = (count: number) => Array.from({ length: count }, (_, at) => `n${at}=x`).join('&')
    assert.equal(Object.keys(read(fields(1_000))).length, 1_000)
    assert.throws(() => read(fields(1_001)), { code: 'body_too_large', message: /1000 fields/ })
  })

  it('has names of up to 1,000 characters', () => {
    assert.deepEqual(read(`${'x'.repeat(1_000)}=1`), { ['x'.repeat(1_000)]: '1' })
    assert.throws(() => read(`a=1&${'x'.repeat(1_001)}=1`), { code: 'form_invalid' })
  })
})
