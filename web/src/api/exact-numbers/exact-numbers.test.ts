import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ExactNumber } from '../../../../src/flows/json/exact-number.ts'
import * as tokens from '../../../../src/flows/json/json-tokens.ts'
import { readExactly as readByHand } from '../../../../src/flows/json/read-exactly.ts'
import { isDeeper, lookOf } from './json-tokens.ts'
import { readExactly } from './read-exactly.ts'

const digits = fc.stringMatching(/^-?(?:0|[1-9]\d{0,18})(?:\.\d{1,18})?(?:[eE][+-]?\d{1,2})?$/)

describe('the page', () => {
  it('reads exact numbers as the service does', () => {
    const text = '{"a":[1e5,-0,1.10,12345678901234567890,7],"b":{"c":"1.10","d":null,"e":0.1}}'
    assert.deepEqual(readExactly(text), readByHand(text))
    assert.equal(JSON.stringify(readExactly(text)), text)
  })

  it('reads any JSON as the service does', () => {
    // No name with an escape: where V8 of Node 24.21 has seen one that ends with a backslash, it takes others for it.
    const key = fc.constantFrom('a', '1', '__proto__', 'b', '1.10', 'a b')
    const { value } = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        digits,
        fc.constantFrom('null', 'true', '""', '"1.10"', '"\\\\"', '"\\"-0,\\u0041"', ' [ ] ', '{}'),
        fc.string().map((text) => JSON.stringify(text)),
        fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(' ,')}]`),
        fc
          .array(fc.tuple(key, tie('value')), { maxLength: 4 })
          .map((entries) => `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${item}`).join(',')}}`)
      )
    }))
    fc.assert(fc.property(value, (text) => assert.deepEqual(readExactly(text), readByHand(text))))
    for (const text of ['', '[', '[1.10', '["', '"\\"', '01', '[1.]', '-']) {
      assert.throws(() => readExactly(text), SyntaxError)
    }
  })

  it('asks nobody about each value, of which there may be half a million', (t) => {
    const parse = t.mock.method(JSON, 'parse')
    const read = readExactly(`[${'{},'.repeat(300_000)}1.10]`) as unknown[]
    assert.deepEqual(read.at(-1), new ExactNumber('1.10'))
    readExactly('["2026-11-18T09:48:47.120Z",1]')
    const revivers = parse.mock.calls.map((call) => call.arguments[1])
    assert.deepEqual(revivers, [undefined, undefined, undefined])
  })

  it('reads texts of any length', () => {
    for (const item of ['a', '\\"', '1 ']) {
      const text = `["${item.repeat(16_000_000 / item.length)}",1.10]`
      assert.equal(lookOf(text, 10), 'exact')
      assert.equal(JSON.stringify(readExactly(text)), text)
    }
  })

  it('passes over no number that JavaScript prints differently', () => {
    fc.assert(
      fc.property(digits, (number) => {
        const text = `[${number}]`
        if (String(Number(number)) !== number) assert.equal(lookOf(text, 10), 'exact', number)
      })
    )
  })

  it('finds the same texts too deep', () => {
    for (const depth of [9, 10, 11, 40]) {
      const text = `${'['.repeat(depth)}"[[[[[[[[[[[[\\"[["${']'.repeat(depth)}`
      assert.equal(isDeeper(text, 10), tokens.isDeeper(text, 10), String(depth))
    }
  })
})
