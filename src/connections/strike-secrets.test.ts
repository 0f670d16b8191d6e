import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { parseJson } from '../flows/json/exact-json.ts'
import { strikeText, strikeValue } from './strike-secrets.ts'
import { SecretSpellings } from './striking/secret-spellings.ts'
import { waysToWrite } from './striking/written-ways.test-kit.ts'

const LONG = Array.from({ length: 9 }, (_, n) =>
  createHash('sha256').update(`${n}`).digest('base64url')
).join('.')
const SECRETS = ['p w/"ö+1&x9', 'sk-live_51HabcDEF0123456789/+=xyz', LONG]
const PEM = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n'.repeat(2)}MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu\nAgMBAAE=\n-----END PRIVATE KEY-----\n`

describe('striking a secret', () => {
  for (const secret of SECRETS) {
    const spellings = SecretSpellings.of([secret])
    for (const [way, written] of Object.entries(waysToWrite(secret))) {
      it(`finds ${secret.slice(0, 12)} as ${way}`, () => {
        const struck = strikeText(`before ${written} after ${written}.`, spellings)
        // What base64 has around it may stay.
        assert.match(
          struck,
          /^before [\w+/-]{0,4}•••[\w+/=%-]{0,12}\0? after [\w+/-]{0,4}•••[\w+/=%-]{0,12}\0?\.$/,
          struck
        )
      })
    }
  }

  it('finds it where nothing stands around it', () => {
    const spellings = SecretSpellings.of([SECRETS[1]!])
    for (const [way, written] of Object.entries(waysToWrite(SECRETS[1]!)))
      assert.ok(strikeText(written, spellings).length <= 24, way)
  })

  it('finds the lines of a secret of several, and leaves those that all such files have', () => {
    const spellings = SecretSpellings.of([PEM])
    const [, line] = PEM.split('\n')
    assert.equal(strikeText(`the line ${line} is wrong`, spellings), 'the line ••• is wrong')
    const inBase64 = Buffer.from(`a${PEM}`).toString('base64')
    const struck = Buffer.from(strikeText(inBase64, spellings).replaceAll('•••', ''), 'base64').toString(
      'latin1'
    )
    for (const part of ['MIIEvQ', 'hkiG9w0', 'VJTUt9', 'YEvu']) assert.ok(!struck.includes(part), part)
    assert.match(strikeText('-----BEGIN PRIVATE KEY-----', spellings), /BEGIN/)
  })

  it('finds it in base64 that is broken into lines', () => {
    const spellings = SecretSpellings.of([SECRETS[1]!])
    for (let before = 40; before < 80; before++) {
      const all = Buffer.from(`${'x'.repeat(before)}${SECRETS[1]}${'y'.repeat(80)}`).toString('base64')
      const lines = all.replace(/.{76}/g, '$&\r\n')
      const left = Buffer.from(strikeText(lines, spellings).replace('•••', ''), 'base64').toString('latin1')
      assert.ok(!left.includes('live') && !left.includes('0123456'), left)
    }
  })

  it('finds it in members, lists and names', () => {
    const [secret] = SECRETS
    const spellings = SecretSpellings.of([secret!])
    const value = { a: [{ b: `x${secret}` }], [secret!]: 1, c: null, d: true }
    assert.deepEqual(strikeValue(value, spellings), { a: [{ b: 'x•••' }], '•••': 1, c: null, d: true })
  })

  it('leaves what holds none as it is', () => {
    const value = { a: [1, { b: 'text' }], n: parseJson('12345678901234567890') }
    assert.equal(strikeValue(value, SecretSpellings.of(SECRETS)), value)
  })

  it('does not tear ordinary text for a secret of a letter or two', () => {
    assert.equal(strikeText('an apple a day', SecretSpellings.of(['a'])), 'an apple a day')
  })
})
