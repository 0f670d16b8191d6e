import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { atOnce, inTurns } from '../in-turns.ts'
import { isSoundJson } from './sound-json.ts'

const isSound = (text: string, maxDepth = 100) =>
  inTurns(isSoundJson(Buffer.from(text), maxDepth), { pause: () => undefined })

function isParsed(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('sound JSON', () => {
  it('is what JSON.parse takes', () => {
    const json = fc.oneof(
      fc.json(),
      fc.json().map((text) => JSON.stringify(JSON.parse(text), null, 1))
    )
    const part = fc.constantFrom(
      ...'{}[],:"\\ \n\tu0a1.eE+-'.split(''),
      '""',
      '1e5',
      '-0',
      '\\u00e',
      'true',
      'nul',
      'null',
      '\0',
      'é'
    )
    const broken = fc.tuple(json, fc.nat(), part, fc.nat(3)).map(([text, at, piece, gone]) => {
      const place = at % (text.length + 1)
      return text.slice(0, place) + piece + text.slice(place + gone)
    })
    const made = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''))
    fc.assert(
      // A half of a character cannot be sent, nor can it be stored.
      fc.property(
        fc.oneof(json, broken, made),
        (text) => !text.isWellFormed() || isSound(text) === isParsed(text)
      ),
      { numRuns: 3_000 }
    )
  })

  it('has no more members in one object than it may', () => {
    const object = (members: number) => `{${'"a":{"b":1},'.repeat(members - 1)}"a":[]}`
    assert.ok(atOnce(isSoundJson(Buffer.from(`[${object(9)},${object(10)}]`), 5, 10)))
    assert.ok(!atOnce(isSoundJson(Buffer.from(`[${object(11)}]`), 5, 10)))
  })

  it('has no more levels than it may', () => {
    for (const deep of ['[[[]]]', '[[{"a":1}]]', '{"a":{"b":[]}}'])
      assert.deepEqual([isSound(deep, 3), isSound(deep, 2)], [true, false])
  })

  it('is looked at in turns, however few members it has', () => {
    const turnsOf = (text: string) => [...isSoundJson(Buffer.from(text), 100)].length
    assert.ok(turnsOf(`[${'1,'.repeat(100_000)}1]`) >= 10)
    assert.ok(turnsOf(`[${' '.repeat(50_000)}1,"${'x'.repeat(50_000)}",2]`) >= 2)
  })
})
