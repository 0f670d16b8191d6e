import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../test/support/any-text.ts'
import {
  keyIdOf,
  openSecret,
  resealSecret,
  SealBroken,
  type SecretPlace,
  sealSecret
} from './sealed-secret.ts'
import { readSecretKeys } from './secret-keys.ts'

const newKey = () => randomBytes(32).toString('base64')
const [oldKey, key] = [newKey(), newKey()]
const keys = readSecretKeys(key)
const place: SecretPlace = { connection: 'c1', context: '/sales', name: 'password' }

describe('a sealed secret', () => {
  it('opens to what was sealed, and is sealed another way each time', () => {
    fc.assert(
      fc.property(anyText(), (secret) => {
        const sealed = sealSecret(secret, place, keys)
        assert.equal(openSecret(sealed, place, keys), Buffer.from(secret, 'utf8').toString('utf8'))
        assert.notEqual(sealSecret(secret, place, keys), sealed)
      }),
      { numRuns: 50 }
    )
  })

  it('does not hold the secret, nor its length to the letter', () => {
    const sealed = sealSecret('canary-canary', place, keys)
    assert.ok(!sealed.includes('canary') && !Buffer.from(sealed, 'base64').includes('canary'))
  })

  it('opens only where it belongs', () => {
    const sealed = sealSecret('a secret', place, keys)
    for (const other of [{ connection: 'c2' }, { context: '/' }, { name: 'token' }]) {
      assert.throws(() => openSecret(sealed, { ...place, ...other }, keys), SealBroken)
    }
  })

  it('does not open when any part of it was changed', () => {
    const sealed = sealSecret('a secret', place, keys)
    const parts = sealed.split('.')
    for (const index of [2, 3]) {
      const bytes = Buffer.from(parts[index]!, 'base64')
      for (const at of [0, 13, bytes.length - 1]) {
        const changed = Buffer.from(bytes)
        changed[at]! ^= 1
        const forged = parts.with(index, changed.toString('base64')).join('.')
        assert.throws(() => openSecret(forged, place, keys), SealBroken)
      }
    }
    for (const forged of ['', 'x', parts.slice(0, 3).join('.'), `${sealed}.x`, `2${sealed.slice(1)}`]) {
      assert.throws(() => openSecret(forged, place, keys), SealBroken)
    }
  })

  it('names the key that is missing', () => {
    const sealed = sealSecret('a secret', place, keys)
    assert.throws(() => openSecret(sealed, place, readSecretKeys(newKey())), {
      message: `it is sealed with the key ${keyIdOf(sealed)}, which MILLRACE_SECRET_KEY does not hold`
    })
  })
})

describe('changing the key', () => {
  it('seals anew with the first, without touching the secret itself', () => {
    const before = sealSecret('a secret', place, readSecretKeys(oldKey))
    const both = readSecretKeys(`${key}, ${oldKey}`)
    assert.equal(openSecret(before, place, both), 'a secret')
    const after = resealSecret(before, place, both)!
    assert.equal(after.split('.')[3], before.split('.')[3])
    assert.equal(openSecret(after, place, keys), 'a secret')
    assert.equal(resealSecret(after, place, both), undefined)
  })
})

describe('MILLRACE_SECRET_KEY', () => {
  it('is 32 bytes in base64, or several such', () => {
    assert.equal(readSecretKeys(`${key},${oldKey}`).length, 2)
    assert.equal(readSecretKeys(randomBytes(32).toString('base64url')).length, 1)
    for (const bad of [
      '',
      ',',
      'abc',
      key.slice(1),
      `${key}x`,
      randomBytes(31).toString('base64'),
      `!${key.slice(1)}`
    ]) {
      assert.throws(
        () => readSecretKeys(bad),
        (error: Error) => {
          assert.match(error.message, /openssl rand -base64 32/)
          return !error.message.includes(key.slice(4, 20))
        }
      )
    }
  })
})
