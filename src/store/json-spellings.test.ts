import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { jsonSpellings } from './json-spellings.ts'

describe('the spellings of a text in JSON', () => {
  const rows: [text: string, spellings: string[]][] = [
    ['plain text', []],
    ['say "hi"', ['say \\"hi\\"']],
    ['two\nlines', ['two\\nlines']],
    ['Müller', ['M\\u00fcller']],
    ['🙂', ['\\ud83d\\ude42']],
    ['https://a.b/ü', ['https://a.b/\\u00fc', 'https:\\/\\/a.b\\/\\u00fc']]
  ]
  for (const [text, spellings] of rows) {
    it(`are known: ${JSON.stringify(text)}`, () => assert.deepEqual(jsonSpellings(text), spellings))
  }

  it('mean the same text, every one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        for (const spelling of jsonSpellings(text)) assert.equal(JSON.parse(`"${spelling}"`), text)
      })
    )
  })
})
