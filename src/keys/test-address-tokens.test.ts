import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TestAddressTokens } from './test-address-tokens.ts'

test('a token leads to the flow and the end that it was made for, and no other', () => {
  const tokens = new TestAddressTokens('a secret')
  const address = { flowId: '01a1f170-8238-70e8-a829-50fd33cec6c3', expiresAt: 1_795_000_000_000 }
  const token = tokens.write(address)
  assert.deepEqual(tokens.read(token), address)
  assert.equal(new TestAddressTokens('another secret').read(token), undefined)
  const [flow, end, signature] = token.split('.')
  const later = (address.expiresAt + 1).toString(36)
  for (const forged of [
    `${flow}x.${end}.${signature}`,
    `${flow}.${later}.${signature}`,
    `${flow}.${end}.`,
    '',
    'a.b.c'
  ])
    assert.equal(tokens.read(forged), undefined, forged)
})
