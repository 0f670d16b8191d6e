import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { jsonFault } from './json-fault.ts'

describe('a fault in JSON', () => {
  it('is none where the text is JSON', () => {
    for (const text of ['{"a": [1, null]}', '7', '"a"']) assert.equal(jsonFault(text), undefined)
  })

  it('is found where it is, also where the browser names no position', () => {
    const at = (text: string) => jsonFault(text)?.message
    assert.equal(at('{"order_id": 7, "customer": }'), 'The mistake is at line 1, column 29.')
    assert.equal(at('{\n  "a": 1\n  "b": 2\n}'), 'The mistake is at line 3, column 3.')
    assert.equal(at("{'a': 1}"), 'The mistake is at line 1, column 2.')
    assert.equal(at('{"a": tru}'), 'The mistake is at line 1, column 7.')
    assert.equal(at('{"a": 1} and more'), 'The mistake is at line 1, column 10.')
  })

  it('may be that the end is missing', () => {
    for (const text of ['', '  ', '{"a": 1', '[1, 2,\n'])
      assert.equal(jsonFault(text)?.message, 'It ends too early.')
  })
})
