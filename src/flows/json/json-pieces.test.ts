import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ExactNumber, MAX_DEPTH, parseJson, writeJson } from './exact-json.ts'
import { jsonPieces, quotedPieces, weigh } from './json-pieces.ts'

const PIECE = 16 * 1024

function joined(value: unknown, indent = 0): string {
  return [...jsonPieces(value, { indent })].join('')
}

/** As large as it takes to be written in pieces. */
function large(value: unknown): unknown {
  return [
    value,
    Array.from({ length: 3_000 }, (_, n) => ({ n, value })),
    { deep: { value, text: 'x'.repeat(PIECE) } }
  ]
}

describe('JSON in pieces', () => {
  it('is what writeJson gives', () => {
    const values = fc.jsonValue({ maxDepth: 4 })
    fc.assert(
      fc.property(values, fc.constantFrom(0, 2), (value, indent) => {
        const whole = large(value)
        assert.equal(joined(whole, indent), writeJson(whole, indent))
      }),
      { numRuns: 30 }
    )
  })

  it('prints in their own way what JSON.stringify does not go through', () => {
    const odd = large([
      new ExactNumber('12345678901234567890'),
      new Date(0),
      12n,
      Number.NaN,
      -0,
      new String('a'),
      undefined,
      { gone: undefined, also: () => 0, kept: null, __proto__: { inherited: 1 } },
      [undefined, Symbol('a'), () => 0],
      [],
      {}
    ])
    assert.equal(joined(odd), writeJson(odd))
    assert.equal(joined(odd, 2), writeJson(odd, 2))
  })

  it('gives no piece that takes long to print', () => {
    const sizes = [...jsonPieces(large('a'))].map((piece) => piece.length)
    assert.ok(Math.max(...sizes) < 3 * PIECE, String(Math.max(...sizes)))
  })

  it('cuts texts anywhere but within a character', () => {
    for (const text of ['x'.repeat(PIECE - 1), '']) {
      const long = `${text}${'\u{1f600}'.repeat(PIECE)}\ud800\n"`
      assert.equal([...quotedPieces(long)].join(''), JSON.stringify(long))
    }
  })

  it('hands out as it is what somebody else prints', () => {
    class Elsewhere {}
    const elsewhere = new Elsewhere()
    const isWhole = (value: object): value is Elsewhere => value instanceof Elsewhere
    const pieces = [...jsonPieces({ a: 1, b: { c: [elsewhere] } }, { isWhole })]
    assert.deepEqual(
      pieces.map((piece) => (piece === elsewhere ? '"!"' : piece)).join(''),
      '{"a":1,"b":{"c":["!"]}}'
    )
  })

  it('refuses what contains itself, and what is nested too deep', () => {
    const cyclic: Record<string, unknown> = {}
    cyclic.self = [cyclic]
    assert.throws(() => joined(cyclic), /it contains itself/)
    const deep = (levels: number) => parseJson(`${'['.repeat(levels)}${']'.repeat(levels)}`, 2 * MAX_DEPTH)
    const withText = (levels: number) => ({ text: 'x'.repeat(PIECE), deep: deep(levels) })
    assert.equal(joined(withText(MAX_DEPTH - 1)), writeJson(withText(MAX_DEPTH - 1)))
    assert.throws(() => joined(withText(MAX_DEPTH)), /nested deeper than 1000 levels/)
  })
})

describe('the weight of a value', () => {
  it('is about the length of its JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const weight = weigh(value, 1e9)
        const { length } = JSON.stringify(value)
        assert.ok(weight <= 9 * length && weight * 6 >= length - 20, `${weight} for ${length}`)
      })
    )
  })

  it('is known to be too much before all was looked at', () => {
    let reads = 0
    const list = Array.from({ length: 1_000 }, () => ({
      get text() {
        reads++
        return 'x'.repeat(100)
      }
    }))
    assert.ok(weigh(list, 1_000) > 1_000)
    assert.ok(reads < 15, String(reads))
  })
})
