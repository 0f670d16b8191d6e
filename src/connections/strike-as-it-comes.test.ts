import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { SecretsStruckAsTheyCome } from './strike-as-it-comes.ts'
import { strikeText } from './strike-secrets.ts'
import { SecretSpellings } from './striking/secret-spellings.ts'
import { waysToWrite } from './striking/written-ways.test-kit.ts'

const SECRET = 'abcab-äbc'
const SPELLINGS = SecretSpellings.of([SECRET])

/** Two that follow each other may be struck as one, and letters that base64 has around them may have been told before. */
function patternOf(struck: string): RegExp {
  const parts = struck.split(/(?:•••)+/).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('(?:[\\w+/=%-]{0,4}•••)+[\\w+/=%-]{0,4}')}$`)
}

describe('striking secrets from a text that comes in pieces', () => {
  it('gives what striking the whole gives, wherever it is cut', () => {
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
        const striking = new SecretsStruckAsTheyCome(() => SPELLINGS)
        let told = ''
        let from = 0
        for (const cut of cuts) {
          told += striking.take(whole.slice(from, from + cut), false)
          from += cut
        }
        told += striking.take(whole.slice(from), true)
        assert.match(told, patternOf(strikeText(whole, SPELLINGS)))
      })
    )
  })

  it('finds what is folded or written in pairs, wherever it is cut', () => {
    const secret = 'sk-live_51HabcDEF0123456789/+=xyz'
    const spellings = SecretSpellings.of([secret])
    const hex = Buffer.from(secret).toString('hex')
    const folded = `Bearer ${secret}`.replace(/.{16}/g, '$&\n ')
    for (const text of [folded, secret.replace(/.{20}/g, '$&=\r\n'), hex.replace(/../g, '$& ')])
      for (const cut of [1, 5, 17, 30]) {
        const striking = new SecretsStruckAsTheyCome(() => spellings)
        let told = ''
        for (let from = 0; from < text.length; from += cut)
          told += striking.take(text.slice(from, from + cut), false)
        told += striking.take('', true)
        assert.match(told, /^(?:Bearer )?•••\s*$/, `${cut}: ${told}`)
      }
  })

  it('holds back nothing but what may be the beginning of a secret', () => {
    const striking = new SecretsStruckAsTheyCome(() => SecretSpellings.of(['secret']))
    assert.equal(striking.take('a sec', false), 'a ')
    assert.equal(striking.take('ond', false), 'second')
    assert.equal(striking.take(' secr', false), ' ')
    striking.restart()
    assert.equal(striking.take('et', true), 'et')
  })
})
