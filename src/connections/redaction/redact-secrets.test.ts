import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { parseJson } from '../../flows/json/exact-json.ts'
import { redactText, redactValue } from './redact-secrets.ts'
import { SecretSpellings } from './secret-spellings.ts'
import { waysToWrite } from './written-ways.test-kit.ts'

const LONG = Array.from({ length: 9 }, (_, n) =>
  createHash('sha256').update(`${n}`).digest('base64url')
).join('.')
const SECRETS = ['p w/"ö+1&x9', 'sk-live_51HabcDEF0123456789/+=xyz', LONG]
const PEM = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n'.repeat(2)}MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu\nAgMBAAE=\n-----END PRIVATE KEY-----\n`

describe('redacting a secret', () => {
  for (const secret of SECRETS) {
    const spellings = SecretSpellings.of([secret])
    for (const [way, written] of Object.entries(waysToWrite(secret))) {
      it(`finds ${secret.slice(0, 12)} as ${way}`, () => {
        const redacted = redactText(`before ${written} after ${written}.`, spellings)
        // What base64 has around it may stay.
        assert.match(
          redacted,
          /^before [\w+/-]{0,4}•••[\w+/=%-]{0,12}\0? after [\w+/-]{0,4}•••[\w+/=%-]{0,12}\0?\.$/,
          redacted
        )
      })
    }
  }

  it('finds it where nothing stands around it', () => {
    const spellings = SecretSpellings.of([SECRETS[1]!])
    for (const [way, written] of Object.entries(waysToWrite(SECRETS[1]!)))
      assert.ok(redactText(written, spellings).length <= 24, way)
  })

  it('finds the lines of a secret of several, and leaves those that all such files have', () => {
    const spellings = SecretSpellings.of([PEM])
    const [, line] = PEM.split('\n')
    assert.equal(redactText(`the line ${line} is wrong`, spellings), 'the line ••• is wrong')
    const inBase64 = Buffer.from(`a${PEM}`).toString('base64')
    const redacted = Buffer.from(redactText(inBase64, spellings).replaceAll('•••', ''), 'base64').toString(
      'latin1'
    )
    for (const part of ['MIIEvQ', 'hkiG9w0', 'VJTUt9', 'YEvu']) assert.ok(!redacted.includes(part), part)
    assert.match(redactText('-----BEGIN PRIVATE KEY-----', spellings), /BEGIN/)
  })

  it('finds it in base64 that is broken into lines', () => {
    const spellings = SecretSpellings.of([SECRETS[1]!])
    for (let before = 40; before < 80; before++) {
      const all = Buffer.from(`${'x'.repeat(before)}${SECRETS[1]}${'y'.repeat(80)}`).toString('base64')
      const lines = all.replace(/.{76}/g, '$&\r\n')
      const left = Buffer.from(redactText(lines, spellings).replace('•••', ''), 'base64').toString('latin1')
      assert.ok(!left.includes('live') && !left.includes('0123456'), left)
    }
  })

  it('finds it in base64 of base64, wherever it begins in either', () => {
    for (const secret of [SECRETS[1]!, LONG])
      for (const [before, between] of [0, 1, 2].flatMap((a) => [0, 1, 2].map((b) => [a, b] as const))) {
        const inner = Buffer.from(`${'x'.repeat(before)}${secret}`).toString('base64')
        const outer = Buffer.from(`${'y'.repeat(between)}{"auth":"${inner}"}`).toString('base64')
        const redacted = redactText(`a: ${outer}`, SecretSpellings.of([secret]))
        const left = Buffer.from(redacted.slice(3).replaceAll('•••', ''), 'base64').toString('latin1')
        const [, auth = ''] = /"auth":"([\w+/=-]*)/.exec(left) ?? []
        assert.ok(auth.length < 12, `${before} ${between} ${left}`)
      }
  })

  it('finds it in lines of any width, folded or with soft breaks, and in pairs', () => {
    const [, secret] = SECRETS
    const spellings = SecretSpellings.of([secret!])
    const bytes = Buffer.from(`user:${secret}`)
    const folds: readonly [written: string, fold: string][] = [
      [`Bearer ${secret}`, '\n '],
      [`Bearer ${secret}`, '=\r\n'],
      [`Bearer ${secret}`, '\r\n\t'],
      [bytes.toString('base64'), '\n'],
      [bytes.toString('hex'), '\n'],
      [bytes.toString('hex').replace(/../g, '$& '), '\n']
    ]
    for (const [written, fold] of folds)
      for (const width of [7, 16, 20, 70]) {
        const text = written.repeat(3).replace(new RegExp(`.{${width}}`, 'g'), `$&${fold}`)
        const left = redactText(text, spellings)
          .replaceAll('•••', '')
          .replace(/=\r\n|\s/g, '')
        assert.ok(left.length <= 3 * 30, `${JSON.stringify(fold)} ${width}: ${left}`)
        assert.doesNotMatch(left, /live|51Hab|c2stbGl2|736b2d6c/, JSON.stringify(fold))
      }
  })

  it('leaves ordinary words that a short one runs over', () => {
    assert.equal(redactText('the pass word is', SecretSpellings.of(['password'])), 'the pass word is')
  })

  it('finds it in members, lists and names', () => {
    const [secret] = SECRETS
    const spellings = SecretSpellings.of([secret!])
    const value = { a: [{ b: `x${secret}` }], [secret!]: 1, c: null, d: true }
    assert.deepEqual(redactValue(value, spellings), { a: [{ b: 'x•••' }], '•••': 1, c: null, d: true })
  })

  it('leaves what holds none as it is', () => {
    const value = { a: [1, { b: 'text' }], n: parseJson('12345678901234567890') }
    assert.equal(redactValue(value, SecretSpellings.of(SECRETS)), value)
  })

  it('does not tear ordinary text for a secret of a letter or two', () => {
    assert.equal(redactText('an apple a day', SecretSpellings.of(['a'])), 'an apple a day')
  })
})
