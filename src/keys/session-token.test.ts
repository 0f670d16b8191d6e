import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isGenuine, readSessionToken, writeSessionToken } from './session-token.ts'

const SEAL = { secret: 'a secret', keyHash: 'ab'.repeat(32) }
const AT = 1_800_000_000_000
const ID = 'x'.repeat(22)
const TOKEN = writeSessionToken({ keyId: 'configured', sessionId: ID, expiresAt: AT }, SEAL)

describe('the token of a session', () => {
  it('says whose it is and until when, in characters that a cookie may hold', () => {
    assert.match(TOKEN, /^configured\.x{22}\.1800000000\.[\w-]{43}$/)
    const claim = readSessionToken(TOKEN)!
    assert.deepEqual([claim.keyId, claim.sessionId, claim.expiresAt], ['configured', ID, AT])
    assert.equal(isGenuine(claim, SEAL), true)
  })

  it('is not genuine with another secret, or for another key of the same id', () => {
    const claim = readSessionToken(TOKEN)!
    assert.equal(isGenuine(claim, { ...SEAL, secret: 'another' }), false)
    assert.equal(isGenuine(claim, { ...SEAL, keyHash: 'cd'.repeat(32) }), false)
  })

  it('is not genuine, or none, once any character of it is another', () => {
    const places = fc.nat(TOKEN.length - 1)
    fc.assert(
      fc.property(places, fc.string({ minLength: 1, maxLength: 1 }), (place, character) => {
        const changed = TOKEN.slice(0, place) + character + TOKEN.slice(place + 1)
        const claim = readSessionToken(changed)
        assert.ok(changed === TOKEN || claim === undefined || !isGenuine(claim, SEAL), changed)
      })
    )
  })

  it('is told from anything else', () => {
    for (const text of [
      '',
      '.',
      'a.b.c',
      `a.${ID}.1.`,
      `a.${ID}.1.${'x'.repeat(42)}`,
      `a.1.${'x'.repeat(43)}`,
      `${TOKEN}x`,
      `a.b.1.${'x'.repeat(43)}`
    ])
      assert.equal(readSessionToken(text), undefined, text)
  })
})
