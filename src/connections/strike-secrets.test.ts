import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseJson } from '../flows/json/exact-json.ts'
import { spellingsOf, strikeText, strikeValue } from './strike-secrets.ts'

const secret = 'p w/"ö+1'
const spellings = spellingsOf(secret)

describe('striking a secret', () => {
  for (const written of [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ a: secret }).toString().slice(2),
    JSON.stringify(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url')
  ]) {
    it(`finds it as ${written}`, () => {
      const struck = strikeText(`before ${written} after ${written}`, spellings)
      assert.match(struck, /^before "?•••"?=* after "?•••"?=*$/)
    })
  }

  it('finds it in members, lists and names', () => {
    const value = { a: [{ b: `x${secret}` }], [secret]: 1, c: null, d: true }
    assert.deepEqual(strikeValue(value, spellings), { a: [{ b: 'x•••' }], '•••': 1, c: null, d: true })
  })

  it('leaves what holds none as it is', () => {
    const value = { a: [1, { b: 'text' }], n: parseJson('12345678901234567890') }
    assert.equal(strikeValue(value, spellings), value)
  })

  it('does not tear ordinary text for a secret of a letter or two', () => {
    assert.equal(strikeText('an apple a day', spellingsOf('a')), 'an apple a day')
  })
})
