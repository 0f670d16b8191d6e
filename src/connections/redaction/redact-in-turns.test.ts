import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ExactNumber } from '../../flows/json/exact-json.ts'
import { redactInTurns } from './redact-in-turns.ts'
import { redactValue } from './redact-secrets.ts'
import { SecretSpellings } from './secret-spellings.ts'

const SECRET = 'SEKRIT-TOKEN-12345'
const SPELLINGS = SecretSpellings.of([SECRET])

function redacted(value: unknown): { readonly value: unknown; readonly turns: number } {
  const work = redactInTurns(value, SPELLINGS)
  for (let turns = 1; ; turns++) {
    const { done, value: result } = work.next()
    if (done === true) return { value: result, turns }
  }
}

describe('redacting a long value', () => {
  const filler = 'nothing to see, '.repeat(10_000)
  const long = {
    text: `${filler}${SECRET}${filler}`,
    list: Array.from({ length: 20_000 }, (_, at) => (at % 5_000 === 7 ? { [SECRET]: [SECRET] } : { at })),
    exact: [new ExactNumber('1.10'), null, true],
    [`${filler}${SECRET}`]: Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`k${at}`, `${at}`]))
  }

  it('gives what redacting it at once gives, in turns', () => {
    const { value, turns } = redacted(long)
    assert.deepEqual(value, redactValue(long, SPELLINGS))
    assert.ok(turns > 50, `${turns} turns`)
    assert.doesNotMatch(JSON.stringify(value), /SEKRIT/)
  })

  it('copies nothing of what holds none', () => {
    const clean = { a: [filler, { b: filler }], rows: long.list.filter((row) => 'at' in row) }
    assert.equal(redacted(clean).value, clean)
  })

  it('looks once at what is in two outputs', () => {
    const once = redacted({ body: long.list }).turns
    assert.ok(redacted({ body: long.list, response: { status: 200, body: long.list } }).turns < once + 5)
  })

  it('refuses one that holds itself', () => {
    const own: unknown[] = [filler]
    own.push(own)
    assert.throws(() => redacted(own), RangeError)
  })

  it('takes what is short at once', () => {
    assert.deepEqual(redacted({ a: SECRET }), { value: { a: '•••' }, turns: 1 })
  })
})
