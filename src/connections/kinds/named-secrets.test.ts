import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { namedSecrets, placeholderFault, withSecrets } from './named-secrets.ts'

describe('secrets that settings name', () => {
  it('are found in the address, the headers and the parameters, each once', () => {
    const settings = {
      base_url: 'https://api.telegram.org/bot{token}',
      headers: { 'x-a': '{a}:{token}', 'x-b': '{{b}}' },
      query: { key: '{key}', plain: 'text' }
    }
    assert.deepEqual(namedSecrets(settings), ['token', 'a', 'key'])
    assert.deepEqual(namedSecrets({ headers: 7, query: null }), [])
  })

  it('are filled in, and braces stay braces', () => {
    const secrets = { token: 'a/b', constructor: 'c' }
    assert.equal(withSecrets('bot{token}/{{x}}', secrets), 'bota/b/{x}')
    assert.equal(withSecrets('{token}', secrets, encodeURIComponent), 'a%2Fb')
    assert.equal(withSecrets('[{toString}]', {}), '[]')
  })

  it('are named by braces that are whole', () => {
    assert.equal(placeholderFault('a {b} {{c}}'), undefined)
    assert.match(placeholderFault('a {b')!, /single "{"/)
    assert.match(placeholderFault('a } b')!, /single "}"/)
    assert.match(placeholderFault('{}')!, /name of a secret/)
    assert.match(placeholderFault('{a b}')!, /name of a secret/)
  })
})
