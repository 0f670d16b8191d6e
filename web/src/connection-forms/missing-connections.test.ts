import assert from 'node:assert/strict'
import { it } from 'node:test'
import { missingConnections } from './missing-connections.ts'

it('what a flow misses is told once per name, with what fits all nodes that name it', () => {
  const missing = missingConnections([
    { node: 'a', name: 'models', kinds: ['openai', 'anthropic'], state: 'missing' },
    { node: 'b', name: 'models', kinds: ['anthropic', 'google'], state: 'missing' },
    { node: 'a', name: 'models', kinds: ['anthropic'], state: 'missing' },
    { node: 'c', name: 'shop', kinds: ['http'], state: 'found' },
    { node: 'd', name: 'mail', kinds: ['http'], state: 'wrong_kind' }
  ])
  assert.deepEqual(missing, [
    { name: 'models', nodes: ['a', 'b'], kinds: ['anthropic'], isWrongKind: false },
    { name: 'mail', nodes: ['d'], kinds: ['http'], isWrongKind: true }
  ])
})
