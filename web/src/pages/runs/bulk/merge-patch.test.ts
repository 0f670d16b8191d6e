import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseJson, writeJson } from '../../../../../src/flows/json/exact-json.ts'
import { mergePatch } from './merge-patch.ts'

/** The examples of RFC 7396, appendix A: original, patch, result. */
const EXAMPLES = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}']
] as const

describe('a merge patch', () => {
  for (const [original, patch, result] of EXAMPLES) {
    it(`makes ${result} of ${original} and ${patch}`, () => {
      assert.equal(writeJson(mergePatch(parseJson(original), parseJson(patch))), result)
    })
  }

  it('keeps every digit', () => {
    const merged = mergePatch(parseJson('{"id":12345678901234567890,"n":1}'), parseJson('{"n":1.10}'))
    assert.equal(writeJson(merged), '{"id":12345678901234567890,"n":1.10}')
  })

  it('takes a key named __proto__ for what it is', () => {
    const merged = mergePatch(parseJson('{"a":1}'), parseJson('{"__proto__":{"b":2}}'))
    assert.equal(writeJson(merged), '{"a":1,"__proto__":{"b":2}}')
  })
})
