import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { anyText } from './any-text.ts'

it('any text has characters of every plane, no half of a pair, and becomes short and simple where it fails', () => {
  fc.assert(fc.property(anyText(), (text) => text.isWellFormed()))
  const planes = new Set(fc.sample(anyText({ minLength: 5 }), 200).flatMap((text) => [...text].map(planeOf)))
  for (const plane of [0, 1, 16]) assert.ok(planes.has(plane), `none of plane ${plane}`)
  const isShort = fc.check(
    fc.property(anyText(), (text) => [...text].length < 3),
    { numRuns: 1000 }
  )
  assert.deepEqual(isShort.counterexample, ['\0\0\0'])
  const found = fc.check(
    fc.property(anyText(), (text) => text === ''),
    { examples: [['né😀']] }
  )
  assert.deepEqual(found.counterexample, ['\0'], 'a given text is made simpler too')
})

function planeOf(character: string): number {
  return character.codePointAt(0)! >> 16
}
