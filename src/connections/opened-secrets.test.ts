import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StepError } from '../engine/step-error.ts'
import { OpenedSecrets } from './opened-secrets.ts'
import { SecretSpellings } from './redaction/secret-spellings.ts'

const SECRET = 'correct horse battery staple'

function opened(secret = SECRET): OpenedSecrets {
  const secrets = new OpenedSecrets()
  secrets.add(SecretSpellings.of([secret]))
  return secrets
}

describe('an error with long words', () => {
  const messageOf = (thrown: unknown, secrets = opened()) => (secrets.redactError(thrown) as Error).message

  it('is told by its beginning and its end, without the secrets', () => {
    const long = `No: ${SECRET}. ${'a'.repeat(10 ** 6)}`
    for (const thrown of [new Error(long), new StepError(long)])
      assert.match(messageOf(thrown), /^No: •••\. a{1300,1400} … a{597}$/)
  })

  it('tells no half of a secret, wherever it was cut', () => {
    for (let before = 1_360; before < 1_410; before++) {
      const told = messageOf(new Error(`${'.'.repeat(before)}${SECRET}${'.'.repeat(10 ** 6)}`))
      assert.doesNotMatch(told, /[a-z]/)
    }
  })

  it('tells no half of a secret where little is left of many', () => {
    const secret = Array.from({ length: 5_000 }, (_, at) => String.fromCharCode(97 + ((at * at) % 26))).join(
      ''
    )
    assert.doesNotMatch(messageOf(new Error(secret.repeat(100)), opened(secret)), /[a-z]/)
  })

  it('is read to its end where it is short', () => {
    assert.equal(messageOf(new Error(`It ends with correct horse`)), 'It ends with correct horse')
  })
})
