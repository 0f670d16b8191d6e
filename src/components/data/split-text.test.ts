import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { JsonValue } from '../../plugin-api.ts'
import { failureOf, runStep } from '../step.test-kit.ts'
import { splitText } from './split-text.ts'
import { splitByLength } from './text-parts.ts'

const split = (text: string, fields: Record<string, JsonValue>) =>
  runStep(splitText, { fields, inputs: { text } }).outputs.data

describe('Split text', () => {
  it('cuts at a separator, which may be written with a backslash', () => {
    assert.deepEqual(split('a, b,,c', {}), ['a', 'b', 'c'])
    assert.deepEqual(split('a, b,,c', { trim: false, drop_empty: false }), ['a', ' b', '', 'c'])
    assert.deepEqual(split('a\n\nb', { separator: '\\n\\n' }), ['a', 'b'])
  })

  it('cuts by lines, some to a part, with some in common', () => {
    assert.deepEqual(split('a\r\nb\n\nc', { mode: 'Lines' }), ['a', 'b', 'c'])
    assert.deepEqual(split('a\nb\nc\nd', { mode: 'Lines', lines: 2, overlap: 1 }), ['a\nb', 'b\nc', 'c\nd'])
  })

  it('cuts by length, at the end of sentences and words', () => {
    const text = 'One day. Another day came by, long.'
    assert.deepEqual(split(text, { mode: 'Length', length: 15 }), [
      'One day.',
      'Another day',
      'came by, long.'
    ])
    assert.deepEqual(split('one two three four', { mode: 'Length', length: 10, overlap: 4 }), [
      'one two',
      'two three',
      'three four'
    ])
  })

  it('loses nothing, cuts no character in two and comes to an end', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '.', '😀', 'é'), maxLength: 60 })
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 12 }), fc.nat({ max: 11 }), (given, length, overlap) => {
        fc.pre(overlap < length)
        const parts = [...splitByLength(given, length, overlap)].flat()
        assert.ok(parts.every((part) => part.isWellFormed() && part.length <= length))
        if (overlap === 0) assert.equal(parts.join(''), given)
      })
    )
  })

  it('leaves no gap between pieces that overlap', () => {
    const text = Array.from({ length: 60 }, (_, word) => `w${word}`).join(' ')
    for (const [length, overlap] of [
      [20, 5],
      [7, 6],
      [50, 20]
    ] as const) {
      let covered = 0
      for (const part of [...splitByLength(text, length, overlap)].flat()) {
        const begin = text.indexOf(part)
        assert.ok(begin <= covered, `${length}, ${overlap}: a gap at ${covered}`)
        covered = begin + part.length
      }
      assert.equal(covered, text.length)
    }
  })

  it('ends where pieces that overlap would come to too much', () => {
    const fields = { mode: 'Length', length: 1000, overlap: 999 }
    const options = { fields, inputs: { text: 'a'.repeat(100_000) }, outputLimit: 1_000_000 }
    assert.equal(failureOf(splitText, options).code, 'output_too_large')
  })

  it('takes texts only, and is judged when it is saved', () => {
    assert.equal(failureOf(splitText, { inputs: { text: { a: 1 } } }).code, 'not_a_text')
    const fields = {
      mode: 'Length',
      separator: '',
      length: 10,
      overlap: 10,
      lines: 1,
      trim: true,
      drop_empty: true
    } as const
    assert.deepEqual(
      [splitText.check!(fields)[0]?.field, splitText.check!({ ...fields, mode: 'Separator' })[0]?.field],
      ['overlap', 'separator']
    )
  })
})
