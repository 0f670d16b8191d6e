import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CommandError, UsageError } from '../command-error.ts'
import { destinationOf, readAddress } from './destination.ts'

const PROFILES = {
  current: 'local',
  profiles: {
    local: { url: 'http://127.0.0.1:7860', key: 'local-key' },
    production: { url: 'https://millrace.example.com/flows', key: 'production-key' }
  }
}
const NONE = { current: null, profiles: {} }

describe('destinationOf', () => {
  it('is this machine where nothing says another', () => {
    const { url, key } = destinationOf({}, {}, NONE, null)
    assert.deepEqual({ url, key }, { url: 'http://127.0.0.1:7860', key: null })
  })

  it('is the profile in use, the one that is named, or the one of a variable', () => {
    assert.equal(destinationOf({}, {}, PROFILES, null).key, 'local-key')
    assert.equal(destinationOf({ profile: 'production' }, {}, PROFILES, null).key, 'production-key')
    assert.equal(destinationOf({}, { MILLRACE_PROFILE: 'production' }, PROFILES, null).key, 'production-key')
  })

  it('sends the key of a profile to its address, and to no other', () => {
    const to = (url: string) => destinationOf({ url }, {}, PROFILES, null).key
    assert.equal(to('https://millrace.example.com/flows/'), 'production-key')
    assert.equal(to('127.0.0.1:7860'), 'local-key')
    assert.equal(to('https://millrace.example.com'), null)
    assert.equal(destinationOf({}, { MILLRACE_URL: 'http://other.example' }, PROFILES, null).key, null)
  })

  it('takes what is typed before variables, and variables before the profile in use', () => {
    const env = { MILLRACE_URL: 'http://variable.example' }
    assert.equal(
      destinationOf({ url: 'typed.example' }, env, PROFILES, 'variable-key').url,
      'http://typed.example'
    )
    assert.equal(destinationOf({}, env, PROFILES, 'variable-key').key, 'variable-key')
    assert.equal(destinationOf({ key: 'typed-key' }, env, PROFILES, 'variable-key').key, 'typed-key')
    const named = destinationOf({ profile: 'production' }, env, PROFILES, 'variable-key')
    assert.deepEqual([named.url, named.key], ['https://millrace.example.com/flows', 'production-key'])
  })

  it('names the profile that was most likely meant', () => {
    assert.throws(
      () => destinationOf({ profile: 'producton' }, {}, PROFILES, null),
      (error: Error) => error instanceof CommandError && /Did you mean "production"\?/.test(error.message)
    )
    assert.throws(
      () => destinationOf({ profile: 'constructor' }, {}, PROFILES, null),
      /no profile "constructor"/
    )
  })

  it('refuses two services at once', () => {
    assert.throws(
      () => destinationOf({ profile: 'local', url: 'http://a.example' }, {}, PROFILES, null),
      UsageError
    )
  })
})

describe('readAddress', () => {
  it('takes addresses as people write them', () => {
    assert.equal(readAddress('localhost:7860'), 'http://localhost:7860')
    assert.equal(readAddress('https://a.example/flows/'), 'https://a.example/flows')
  })

  for (const wrong of [
    'ftp://a.example',
    'http://',
    'http://a.example?x=1',
    'a b',
    'https://ann:secret@a.example'
  ])
    it(`refuses ${wrong}`, () => assert.throws(() => readAddress(wrong), UsageError))
})
