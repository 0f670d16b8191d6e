import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
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
