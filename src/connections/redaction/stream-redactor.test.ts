import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { redactText } from './redact-secrets.ts'
import { SecretSpellings } from './secret-spellings.ts'
import { StreamRedactor } from './stream-redactor.ts'
import { waysToWrite } from './written-ways.test-kit.ts'

const SECRET = 'abcab-äbc'
const SPELLINGS = SecretSpellings.of([SECRET])

/** Two that follow each other may be redacted as one, and letters that base64 has around them may have been told before. */
function patternOf(redacted: string): RegExp {
  const parts = redacted.split(/(?:•••)+/).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('(?:[\\w+/=%-]{0,4}•••)+[\\w+/=%-]{0,4}')}$`)
}

describe('redacting secrets from a text that comes in pieces', () => {
  it('gives what redacting the whole gives, wherever it is cut', () => {
    const part = fc.constantFrom(
      'abcab-äbc',
      'abcab',
      '-äbc',
      'a',
      'b',
      '%',
      '&#',
      '\\u00',
      ...Object.values(waysToWrite(SECRET)),
      ' and '
    )
    fc.assert(
      fc.property(fc.array(part), fc.array(fc.nat(12)), (parts, cuts) => {
        const whole = parts.join('')
        const redactor = new StreamRedactor(() => SPELLINGS)
        let told = ''
        let from = 0
        for (const cut of cuts) {
          told += redactor.take(whole.slice(from, from + cut), false)
          from += cut
        }
        told += redactor.take(whole.slice(from), true)
        assert.match(told, patternOf(redactText(whole, SPELLINGS)))
      })
    )
  })

  it('holds back no more of many that stand side by side than of one', () => {
    const redactor = new StreamRedactor(() => SPELLINGS)
    let told = ''
    for (let at = 0; at < 1_000; at++) told += redactor.take(SECRET.repeat(10), false)
    assert.match(told, /^(?:•••){500,}$/, 'it is told as it comes')
    assert.match(redactor.take(' and', true), /^(?:•••)+ and$/)
  })

  it('finds what is folded or written in pairs, wherever it is cut', () => {
    const secret = 'sk-live_51HabcDEF0123456789/+=xyz'
    const spellings = SecretSpellings.of([secret])
    const hex = Buffer.from(secret).toString('hex')
    const folded = `Bearer ${secret}`.replace(/.{16}/g, '$&\n ')
    for (const text of [folded, secret.replace(/.{20}/g, '$&=\r\n'), hex.replace(/../g, '$& ')])
      for (const cut of [1, 5, 17, 30]) {
        const redactor = new StreamRedactor(() => spellings)
        let told = ''
        for (let from = 0; from < text.length; from += cut)
          told += redactor.take(text.slice(from, from + cut), false)
        told += redactor.take('', true)
        assert.match(told, /^(?:Bearer )?•••\s*$/, `${cut}: ${told}`)
      }
  })

  it('holds back nothing but what may be the beginning of a secret', () => {
    const redactor = new StreamRedactor(() => SecretSpellings.of(['secret']))
    assert.equal(redactor.take('a sec', false), 'a ')
    assert.equal(redactor.take('ond', false), 'second')
    assert.equal(redactor.take(' secr', false), ' ')
    redactor.restart()
    assert.equal(redactor.take('et', true), 'et')
  })
})
