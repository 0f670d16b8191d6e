import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { SecretsStruckAsTheyCome } from './strike-as-it-comes.ts'
import { spellingsOf, strikeText } from './strike-secrets.ts'

const SPELLINGS = spellingsOf('abcab-äbc')

describe('striking secrets from a text that comes in pieces', () => {
  it('gives what striking the whole gives, wherever it is cut', () => {
    const part = fc.constantFrom(
      'abcab-äbc',
      'abcab',
      '-äbc',
      'a',
      'b',
      encodeURIComponent('abcab-äbc'),
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
        assert.equal(told, strikeText(whole, SPELLINGS))
      })
    )
  })

  it('holds back nothing but what may be the beginning of a secret', () => {
    const striking = new SecretsStruckAsTheyCome(() => ['secret'])
    assert.equal(striking.take('a sec', false), 'a ')
    assert.equal(striking.take('ond', false), 'second')
    assert.equal(striking.take(' secr', false), ' ')
    striking.restart()
    assert.equal(striking.take('et', true), 'et')
  })
})
